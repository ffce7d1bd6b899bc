import type { AnswerOf } from '@stratalog/client';
import type { IconName } from '../../../components/icon/icon';
import type { StatusLook } from '../../../components/status/status-chip';
import { momentText } from '../../../data/times';
import { count, toWords } from '../../../data/words';

export type Task = NonNullable<AnswerOf<'GET /operations/tasks/:task'>>;
export type ListedTask = NonNullable<AnswerOf<'GET /operations/tasks'>>['tasks'][number];

const KINDS: Readonly<Record<string, string>> = {
  'rebuild-indices': 'Rebuild indices',
  'restore-indices': 'Restore entities',
  'truncate-timeseries': 'Truncate timeseries values',
  'evaluate-tests': 'Evaluate metadata tests',
  'measure-popularity': 'Measure popularity',
  'apply-retention': 'Apply retention',
};

export function kindInWords(kind: string): string {
  return KINDS[kind] ?? toWords(kind.replaceAll('-', ' '));
}

const ENTITIES = ['entity', 'entities'] as const;
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  'rebuild-indices': ENTITIES,
  'restore-indices': ['aspect', 'aspects'],
  'truncate-timeseries': ['value', 'values'],
  'evaluate-tests': ENTITIES,
  'measure-popularity': ['dataset', 'datasets'],
  'summarize-incidents': ENTITIES,
  'apply-retention': ['aspect', 'aspects'],
};

const LOOKS: Readonly<Record<ListedTask['state'], readonly [StatusLook, IconName]>> = {
  queued: ['plain', 'clock'],
  running: ['active', 'loader'],
  pausing: ['warning', 'pause'],
  paused: ['warning', 'pause'],
  cancelling: ['warning', 'ban'],
  cancelled: ['plain', 'ban'],
  completed: ['good', 'circleCheck'],
  failed: ['bad', 'circleX'],
};

export function lookOf(state: ListedTask['state']): readonly [StatusLook, IconName] {
  return LOOKS[state];
}

const ENDED: readonly ListedTask['state'][] = ['cancelled', 'completed', 'failed'];

export function isActive({ state }: Pick<ListedTask, 'state'>): boolean {
  return !ENDED.includes(state);
}

/** What the parameters of a task say, for people. */
export function subjectOf({ kind, parameters }: Pick<ListedTask, 'kind' | 'parameters'>): string {
  const { indexes, aspect, entityType, endTimeMillis, tests, dryRun, query, urn, urnLike } = parameters;
  if (kind === 'rebuild-indices') return Array.isArray(indexes) ? indexes.map(String).join(', ') : '';
  if (kind === 'truncate-timeseries')
    return `${textOf(aspect)} of ${textOf(entityType)}, up to ${momentText(Number(endTimeMillis))}`;
  if (kind === 'restore-indices')
    return [urn ?? urnLike, aspect].filter((each) => typeof each === 'string').join(', ');
  if (kind !== 'evaluate-tests') return '';
  const which = Array.isArray(tests) ? count(tests.length, 'test') : 'every test';
  const of = typeof query === 'string' ? `what “${query}” finds` : 'all entities';
  return `${which}, ${of}${dryRun === true ? ', dry run' : ''}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '?';
}

/** How far a task is, in a line. */
export function progressText({
  kind,
  progress: { done, total },
}: Pick<ListedTask, 'kind' | 'progress'>): string {
  const of = total === undefined ? '' : `${done.toLocaleString('en')} of `;
  return `${of}${count(total ?? done, ...(UNITS[kind] ?? (['unit', 'units'] as const)))}`;
}

/** "about 2 min" */
export function secondsInWords(seconds: number): string {
  if (seconds < 90) return `${String(Math.max(1, Math.round(seconds)))} s`;
  if (seconds < 5_400) return `${String(Math.round(seconds / 60))} min`;
  return `${String(Math.round(seconds / 3_600))} h`;
}
