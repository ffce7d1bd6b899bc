import { createHash } from 'node:crypto';
import type { TimeseriesField } from '@stratalog/domain';
import type { EntityRegistry } from '../model/entity-registry';
import { listStatisticsFields } from './timeseries-fields';

/** The content of an index of timeseries values, by a model. */
export interface TimeseriesSeriesRules {
  /** Fingerprint of all rules: with another one, values are projected again. */
  readonly mapping: string;
  /** The timeseries aspects, whatever entity types have them. */
  readonly aspectNames: readonly string[];
  /** The fields of the values of an aspect; `undefined` for one that is no timeseries aspect. */
  readonly fieldsOf: (aspectName: string) => readonly TimeseriesField[] | undefined;
}

/** Changes with the rules of projection that the model does not show. */
const RULES = 'exact numbers and texts';

/** Lists the fields that statistics may name, of every timeseries aspect. */
export function listTimeseriesSeries({ aspects }: Pick<EntityRegistry, 'aspects'>): TimeseriesSeriesRules {
  const series = new Map(
    aspects
      .filter(({ kind }) => kind === 'timeseries')
      .map((aspect) => [
        aspect.name,
        [...listStatisticsFields(aspect).values()]
          .map(({ field }) => field)
          .filter(({ source }) => source === 'value' || source === 'element'),
      ]),
  );
  const content = JSON.stringify([...series].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    mapping: createHash('sha256').update(`${content}\n${RULES}`).digest('hex'),
    aspectNames: [...series.keys()],
    fieldsOf: (aspectName) => series.get(aspectName),
  };
}
