import { printable } from '../output/printable';
import type { RefusalGroup } from './refusals';

/** The numbers of a load at its end or on its way. */
export interface LoadNumbers {
  readonly read: number;
  readonly sent: number;
  readonly written: number;
  readonly refused: number;
  readonly seconds: number;
}

export interface LoadSummary extends LoadNumbers {
  readonly groups: readonly RefusalGroup[];
  /** Where the refused records are. */
  readonly rejects?: string;
}

/** Reasons that are printed; the file of refused records has all. */
const MAX_SHOWN = 15;

/** The summary of a load, several lines for people. */
export function summaryOf(summary: LoadSummary): string {
  const numbers = [
    ['records', counted(summary.read)],
    ['sent', counted(summary.sent)],
    ['written', counted(summary.written)],
    ['refused', counted(summary.refused)],
    ['seconds', summary.seconds.toFixed(1)],
    ['rate', `${counted(rateOf(summary))}/s`],
  ] as const;
  const width = Math.max(...numbers.map(([, value]) => value.length));
  const lines = numbers.map(([name, value]) => `${name.padEnd(8)} ${value.padStart(width)}`);
  if (summary.groups.length > 0) lines.push('', 'refused because', ...reasonLines(summary.groups));
  if (summary.rejects !== undefined)
    lines.push('', `the refused records, with reasons: ${printable(summary.rejects)}`);
  return `${lines.join('\n')}\n`;
}

/** One line about a load under way; `share` is how much of the file has been read, 0 to 1, when that is known. */
export function progressOf(numbers: LoadNumbers, share?: number): string {
  const parts = [
    `${counted(numbers.sent)} sent`,
    `${counted(rateOf(numbers))}/s`,
    `${counted(numbers.refused)} refused`,
  ];
  if (share !== undefined) parts.push(`${String(Math.floor(share * 100))}% of the file read`);
  return parts.join(', ');
}

function reasonLines(groups: readonly RefusalGroup[]): string[] {
  const shown = groups.slice(0, MAX_SHOWN);
  const width = Math.max(...shown.map(({ count }) => counted(count).length));
  const lines = shown.map(
    ({ count, aspectName, reason }) =>
      `  ${counted(count).padStart(width)}  ${printable(`${aspectName === '' ? '' : `${aspectName}: `}${reason}`)}`,
  );
  const more = groups.length - shown.length;
  if (more > 0) lines.push(`  and ${String(more)} more reasons`);
  return lines;
}

function rateOf({ sent, seconds }: LoadNumbers): number {
  return seconds > 0 ? Math.round(sent / seconds) : 0;
}

function counted(value: number): string {
  return value.toLocaleString('en-US');
}
