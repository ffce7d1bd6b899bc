import type { AnswerOf, ParametersOf } from '@stratalog/client';
import type { IconName } from '../../../components/icon/icon';
import type { StatusLook } from '../../../components/status/status-chip';
import { without } from '../../../app/search-parameters';
import { momentText } from '../../../data/times';
import { count, toWords } from '../../../data/words';

export type Task = NonNullable<AnswerOf<'GET /operations/tasks/:task'>>;
export type ListedTask = NonNullable<AnswerOf<'GET /operations/tasks'>>['tasks'][number];

const KINDS: Readonly<Record<string, string>> = {
  'rebuild-indices': 'Rebuild indices',
  'truncate-timeseries': 'Truncate timeseries values',
  'evaluate-tests': 'Evaluate metadata tests',
  'measure-popularity': 'Measure popularity',
  'apply-retention': 'Apply retention',
};

export function kindInWords(kind: string): string {
  return KINDS[kind] ?? toWords(kind.replaceAll('-', ' '));
}

const UNITS: Readonly<Record<string, string>> = {
  'rebuild-indices': 'entities',
  'truncate-timeseries': 'values',
  'evaluate-tests': 'entities',
  'measure-popularity': 'datasets',
};

function unitOf(kind: string): string {
  return UNITS[kind] ?? 'units';
}

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
  const { indexes, aspect, entityType, endTimeMillis, tests, dryRun, query } = parameters;
  if (kind === 'rebuild-indices') return Array.isArray(indexes) ? indexes.map(String).join(', ') : '';
  if (kind === 'truncate-timeseries')
    return `${textOf(aspect)} of ${textOf(entityType)}, up to ${momentText(Number(endTimeMillis))}`;
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
  const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
  return `${done.toLocaleString('en')}${of} ${unitOf(kind)}`;
}

/** "about 2 min" */
export function secondsInWords(seconds: number): string {
  if (seconds < 90) return `${String(Math.max(1, Math.round(seconds)))} s`;
  if (seconds < 5_400) return `${String(Math.round(seconds / 60))} min`;
  return `${String(Math.round(seconds / 3_600))} h`;
}

type Again =
  | {
      readonly to: 'POST /operations?action=rebuildIndices';
      readonly parameters: ParametersOf<'POST /operations?action=rebuildIndices'>;
    }
  | {
      readonly to: 'POST /operations?action=truncateTimeseriesAspect';
      readonly parameters: ParametersOf<'POST /operations?action=truncateTimeseriesAspect'>;
    }
  | {
      readonly to: 'POST /test?action=evaluateAll';
      readonly parameters: ParametersOf<'POST /test?action=evaluateAll'>;
    };

/** The call that starts such a task with the same parameters. `undefined`: no call does, because the catalog starts it itself. */
export function againOf({ kind, parameters }: Pick<ListedTask, 'kind' | 'parameters'>): Again | undefined {
  // The parameters of a task are those of its call; `null` stands for an absent one.
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null));
  if (kind === 'rebuild-indices') {
    const { indexes } = given as { readonly indexes?: readonly ('search' | 'graph' | 'timeseries')[] };
    const [index] = indexes ?? [];
    return {
      to: 'POST /operations?action=rebuildIndices',
      parameters: indexes?.length === 1 && index !== undefined ? { index } : {},
    };
  }
  if (kind === 'truncate-timeseries') {
    const others = without(given, 'urnPrefix');
    return {
      to: 'POST /operations?action=truncateTimeseriesAspect',
      parameters: {
        ...others,
        dryRun: false,
      } as ParametersOf<'POST /operations?action=truncateTimeseriesAspect'>,
    };
  }
  if (kind !== 'evaluate-tests') return undefined;
  const others = without(given, 'position');
  return { to: 'POST /test?action=evaluateAll', parameters: others };
}
