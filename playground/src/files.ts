// Files of the runs, as `atl run` writes them.

import { Desk } from "./desk";

const NONE = new Uint8Array();

/** A file with its content. */
export interface File {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Data files of a format (0: CSV, 1: Parquet) over this many seeds. */
async function data(front: Desk, seeds: number, format: number): Promise<File[]> {
  const files: File[] = [];
  for (let place = 0; ; place++) {
    const answer = await front.bytes("data", NONE, seeds, format, place);
    if (answer.length === 0) return files;
    const end = answer.indexOf(10);
    files.push({ name: new TextDecoder().decode(answer.subarray(0, end)), bytes: answer.slice(end + 1) });
  }
}

/** All files of the runs whose results the front desk holds. */
export async function files(front: Desk, seeds: number): Promise<File[]> {
  const page = await front.bytes("page", NONE, seeds);
  const summary = await front.bytes("summary", NONE, seeds);
  return [
    { name: "report.html", bytes: page },
    { name: "summary.json", bytes: summary },
    ...(await data(front, seeds, 0)),
    ...(await data(front, seeds, 1)),
  ];
}

/** Saves a file as a download. */
export function save({ name, bytes }: File): void {
  const address = URL.createObjectURL(new Blob([bytes]));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
