import type { AnswerOf } from '@stratalog/client';
import { formatDuration } from './duration';
import { formatTime } from './time';

/** A task as lists have it. */
export type ListedTask = AnswerOf<'GET /operations/tasks'>['tasks'][number];

const BAR_WIDTH = 24;

/** Formats a task for the progress line: its state, a bar, the rate and the time left. */
export function formatTaskProgress({ state, progress, waitsFor }: ListedTask): string {
  const { done, total, perSecond, secondsLeft } = progress;
  const parts = [
    ...(perSecond === undefined ? [] : [`${String(perSecond)}/s`]),
    ...(secondsLeft === undefined ? [] : [`${formatDuration(secondsLeft)} left`]),
    ...(waitsFor === undefined ? [] : [`waits for ${waitsFor}`]),
  ];
  const count =
    total === undefined ? String(done) : `${formatBar(done, total)} ${String(done)} of ${String(total)}`;
  return [`${state} ${count}`, ...parts].join(', ');
}

/** A bar that is full only when everything is done. */
export function formatBar(done: number, total: number): string {
  const fraction = total <= 0 ? 1 : Math.min(1, Math.max(0, done / total));
  const full = Math.floor(fraction * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${String(Math.floor(fraction * 100))}%`;
}

/** Makes the row of a task in a table. */
export function toTaskRow({ id, kind, state, progress, createdMillis, requestedBy }: ListedTask): string[] {
  const { done, total } = progress;
  return [
    String(id),
    kind,
    state,
    `${String(done)}${total === undefined ? '' : ` of ${String(total)}`}`,
    formatTime(createdMillis),
    requestedBy,
  ];
}
