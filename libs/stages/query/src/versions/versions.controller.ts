import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import { InvalidRequestError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { readAspect, readAspectAt } from './read-aspect';
import { readVersions } from './read-versions';
import { READ_ASPECT } from './versions.routes';

const DEFAULT_COUNT = 100;
/** Each of these parameters selects a range, also without a value. */
const RANGE = ['startVersion', 'endVersion', 'order', 'count'] as const;

/** Reads versions of single aspects: the reading routes of `/aspects`. */
@Controller()
export class VersionsController {
  @Inject(readAspect) private readonly readAspect!: UseCase<typeof readAspect>;
  @Inject(readAspectAt) private readonly readAspectAt!: UseCase<typeof readAspectAt>;
  @Inject(readVersions) private readonly readVersions!: UseCase<typeof readVersions>;

  @Route(READ_ASPECT)
  readVersion(@Parameters() given: Input<typeof READ_ASPECT>): Promise<JsonOutputObject> {
    const { urn, aspect: aspectName, version, asOf } = given;
    if (RANGE.some((name) => name in given)) {
      rejectBoth(given, ['version', 'asOf'], 'a range of versions');
      return this.readVersions({
        urn,
        aspectName,
        startVersion: given.startVersion ?? 1,
        endVersion: given.endVersion ?? 0,
        newestFirst: given.order !== 'ASCENDING',
        count: given.count ?? DEFAULT_COUNT,
      });
    }
    if (asOf === undefined) return this.readAspect(urn, aspectName, version ?? 0);
    // Clients send version 0 with every read.
    if (version !== undefined && version !== 0) rejectBoth(given, ['version'], 'asOf');
    return this.readAspectAt(urn, aspectName, asOf);
  }
}

/** Rejects parameters that contradict the selected kind of read. */
function rejectBoth(given: object, names: readonly string[], selected: string): void {
  const other = names.find((name) => name in given);
  if (other !== undefined) throw new InvalidRequestError(`Parameter '${other}' does not go with ${selected}`);
}
