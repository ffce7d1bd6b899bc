import type { JsonObject, JsonValue } from '@stratalog/model';
import { formatDuration } from './duration';
import { numberOf, objectOf, toText } from './json-parts';
import { formatTime } from './time';

const BAR_WIDTH = 24;

/** Formats a task for the progress line: its state, a bar, the rate and the time left. */
export function formatTaskProgress(task: JsonObject): string {
  const { done, total, perSecond, secondsLeft } = objectOf(task.progress);
  const parts = [
    ...(typeof perSecond === 'number' ? [`${String(perSecond)}/s`] : []),
    ...(typeof secondsLeft === 'number' ? [`${formatDuration(secondsLeft)} left`] : []),
    ...(typeof task.waitsFor === 'string' ? [`waits for ${task.waitsFor}`] : []),
  ];
  const count =
    typeof total === 'number'
      ? `${formatBar(numberOf(done), total)} ${String(numberOf(done))} of ${String(total)}`
      : String(numberOf(done));
  return [`${toText(task.state)} ${count}`, ...parts].join(', ');
}

/** A bar that is full only when everything is done. */
export function formatBar(done: number, total: number): string {
  const fraction = total <= 0 ? 1 : Math.min(1, Math.max(0, done / total));
  const full = Math.floor(fraction * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${String(Math.floor(fraction * 100))}%`;
}

/** Makes the row of a task in a table. */
export function toTaskRow(task: JsonValue): string[] {
  const { id, kind, state, progress, createdMillis, requestedBy } = objectOf(task);
  const { done, total } = objectOf(progress);
  return [
    String(numberOf(id)),
    toText(kind),
    toText(state),
    `${String(numberOf(done))}${typeof total === 'number' ? ` of ${String(total)}` : ''}`,
    formatTime(createdMillis),
    toText(requestedBy),
  ];
}
