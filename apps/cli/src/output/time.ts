import { A_TIME, toTime } from '@stratalog/json';
import { InvalidArgumentError } from 'commander';

/** Formats a time for people; empty when there is none. */
export function formatTime(timeMs: unknown): string {
  return typeof timeMs === 'number' && Number.isFinite(timeMs) ? new Date(timeMs).toISOString() : '';
}

/** Parses an option that takes a time, as the catalog does. */
export function parseTime(text: string): number {
  const timeMs = toTime(text);
  if (timeMs === undefined) throw new InvalidArgumentError(`Must be ${A_TIME}.`);
  return timeMs;
}

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs?: number;
}

/** Parses an option that takes `FROM` or `FROM..TO`. */
export function parseTimeRange(text: string): TimeRange {
  const at = text.indexOf('..');
  if (at === -1) return { fromMs: parseTime(text) };
  return { fromMs: parseTime(text.slice(0, at)), toMs: parseTime(text.slice(at + 2)) };
}
