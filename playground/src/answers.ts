// Answers of the module: the types of crates/atl-web in JSON.

/** A mistake or a warning. Places are UTF-16 units of the text. */
export interface Problem {
  from: number;
  to: number;
  key: string;
  message: string;
  help: string[];
}

/** The scenario to open. */
export interface Request {
  text: string;
  /** Built-in scenario that the text is derived from; empty for none. */
  from: string;
  quick: boolean;
  /** Argument of `--seeds`; empty for the text's own seeds. */
  seeds: string;
}

/** A point of the sweep. */
export interface PointView {
  label: string;
  flows: string[];
  links: string[];
  /** For each flow, the first link of its path. */
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

/** A number of the text that has a slider. */
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

/** An event of a packet. */
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

/** State of a flow and a link at a time. */
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

/** State of a watched run. */
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
