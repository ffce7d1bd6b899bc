import { didYouMean, type TimeseriesField } from '@stratalog/domain';
import {
  NUMBER_TYPES,
  listStatisticsFields,
  type AspectType,
  type StatisticsField,
} from '@stratalog/registry';
import type { NamedField } from '../timeseries/timeseries-field';

const MAX_SHOWN = 100;

/**
 * Resolves a field of statistics: one that the model annotates with `@TimeseriesField`, by its name; the key or a field
 * of a `@TimeseriesFieldCollection`, after a dot; or one that every timeseries value has.
 */
export function toStatisticsField(aspect: AspectType, sent: string): NamedField<StatisticsField> {
  const name = sent.endsWith('.keyword') ? sent.slice(0, -'.keyword'.length) : sent;
  const fields = listStatisticsFields(aspect);
  const found = fields.get(name === '@timestamp' ? 'timestampMillis' : name);
  if (found !== undefined) return found;
  const near = didYouMean(name, [...fields.keys()]) || `; it has ${[...fields.keys()].join(', ')}`;
  return {
    fault: `${sent.slice(0, MAX_SHOWN)} is no field for statistics of the aspect ${aspect.name}${near}`,
  };
}

/** True for a field of the elements of a list. */
export function isOfElement({ source }: TimeseriesField): boolean {
  return source === 'element';
}

/** Type of a column of groups: names of numbers, else `string`. */
export function groupType(type: string): string {
  return NUMBER_TYPES.has(type) ? type : 'string';
}
