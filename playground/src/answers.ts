// What the module answers: the types of crates/apps/atl-web, as JSON has them.

/** A mistake or a warning; places are UTF-16 units of the text. */
export interface Problem {
  from: number;
  to: number;
  key: string;
  message: string;
  help: string[];
}

/** What is asked for. */
export interface Request {
  text: string;
  /** The built-in scenario that the text is or was; empty: none. */
  from: string;
  quick: boolean;
  /** As `--seeds`; empty: those of the text. */
  seeds: string;
}

/** A point of the sweep. */
export interface PointView {
  label: string;
  flows: string[];
  links: string[];
  /** For each flow the first link of its path. */
  first_links: number[];
  duration_s: number;
}

/** An open scenario. */
export interface Opened {
  name: string;
  title: string;
  hash: string;
  command: string;
  seeds: number[];
  points: PointView[];
  warnings: Problem[];
}

/** A number of the text with a slider. */
export interface Knob {
  path: string;
  from: number;
  to: number;
  number: number;
  unit: string;
  quoted: boolean;
  whole: boolean;
  low: number;
  high: number;
  zero: boolean;
}

/** A built-in scenario. */
export interface Entry {
  name: string;
  title: string;
  text: string;
}

/** What happened to a packet. */
export interface Row {
  time_s: number;
  what: "queued" | "dropped" | "lost" | "passed" | "arrived";
  why: string;
  link: number | null;
  flow: number;
  kind: string;
  seq: number;
  bytes: number;
  again: boolean;
}

/** A flow and a link at a time. */
export interface Point {
  time_s: number;
  cwnd: number | null;
  ssthresh: number | null;
  rate_bps: number | null;
  in_flight: number;
  srtt_s: number | null;
  waiting: number;
  on_link: number;
}

/** Where a run that is watched stands. */
export interface View {
  time_s: number;
  steps: number;
  ended: boolean;
  restarted: boolean;
  recent: Row[];
  points: Point[];
  now: Point;
  counts: { sent: number; again: number; arrived: number; dropped: number; lost: number };
}
