import type { JsonObject } from '@stratalog/json';
import { formatDuration } from '../output/duration';
import { printable } from '../output/printable';
import type { WarningGroup } from '../connection/warnings';
import type { LoadRate } from './load-rate';
import type { RejectionGroup } from './rejections';

/** The numbers of a load, at its end or under way. */
export interface LoadNumbers {
  readonly read: number;
  readonly sent: number;
  readonly written: number;
  readonly rejected: number;
  readonly seconds: number;
}

export interface LoadSummary extends LoadNumbers {
  readonly groups: readonly RejectionGroup[];
  /** Unknown names in the records, which the catalog ignored. */
  readonly warnings: readonly WarningGroup[];
  /** The path of the rejected records. */
  readonly rejects?: string;
}

/** The number of reasons to print; the file of rejected records has all. */
const MAX_SHOWN = 15;

/** Formats the summary of a load for people, in several lines. */
export function summarize(summary: LoadSummary): string {
  const numbers = [
    ['records', counted(summary.read)],
    ['sent', counted(summary.sent)],
    ['written', counted(summary.written)],
    ['rejected', counted(summary.rejected)],
    ['seconds', summary.seconds.toFixed(1)],
    ['rate', `${counted(computeRate(summary))}/s`],
  ] as const;
  const width = Math.max(...numbers.map(([, value]) => value.length));
  const lines = numbers.map(([name, value]) => `${name.padEnd(8)} ${value.padStart(width)}`);
  if (summary.groups.length > 0) lines.push('', 'rejected because', ...reasonLines(summary.groups));
  if (summary.warnings.length > 0) lines.push('', 'passed over', ...warningLines(summary.warnings));
  if (summary.rejects !== undefined)
    lines.push('', `the rejected records, with reasons: ${printable(summary.rejects)}`);
  return `${lines.join('\n')}\n`;
}

/** Formats the summary for scripts, as one JSON object. */
export function summaryJson({ groups, warnings, rejects, seconds, ...counts }: LoadSummary): JsonObject {
  return {
    ...counts,
    seconds: Number(seconds.toFixed(3)),
    reasons: groups.map((group) => ({ ...group })),
    warnings: warnings.map((group) => ({ ...group })),
    ...(rejects === undefined ? {} : { rejects }),
  };
}

/** Formats one line about a load under way. */
export function toProgress(
  { sent, rejected }: LoadNumbers,
  { ratePerSecond, share, secondsLeft }: LoadRate,
): string {
  const parts = [`${counted(sent)} sent`, `${counted(ratePerSecond)}/s`, `${counted(rejected)} rejected`];
  if (share !== undefined) parts.push(`${String(Math.floor(share * 100))}% of the file read`);
  if (secondsLeft !== undefined) parts.push(`${formatDuration(secondsLeft)} left`);
  return parts.join(', ');
}

function warningLines(warnings: readonly WarningGroup[]): string[] {
  return reasonLines(warnings.map(({ warning, count }) => ({ aspectName: '', reason: warning, count })));
}

function reasonLines(groups: readonly RejectionGroup[]): string[] {
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

function computeRate({ sent, seconds }: LoadNumbers): number {
  return seconds > 0 ? Math.round(sent / seconds) : 0;
}

function counted(value: number): string {
  return value.toLocaleString('en-US');
}
