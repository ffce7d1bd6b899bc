import { InvalidRequestError } from '@stratalog/domain';

/** A query of an index takes about as long as so many reads of an entity. */
const READS_OF_QUERY = 10;
/** Most fields of one answer, each element of a list with its own. They are computed without a pause: this many take a quarter of a second. */
const MAX_FIELDS = 250_000;
/** Most text that one answer is made from. **Units**: characters of JSON. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** A text costs more than one call may. It ends the whole call: a part of an answer would look like all of it. */
export class CostlyTextError extends InvalidRequestError {}

/** Counts what the execution of one text costs, and ends it beyond the limits. */
export class Costs {
  private reads = 0;
  private fields = 0;
  private length = 0;

  constructor(private readonly maxReads: number) {}

  /** Counts entities that are read from the store. **Errors**: {@link CostlyTextError}. */
  countReads(count: number): void {
    this.reads += count;
    if (this.reads <= this.maxReads) return;
    throw new CostlyTextError(
      `The text takes more than ${String(this.maxReads)} stored reads (STRATALOG_GRAPHQL_MAX_READS); ask for smaller pages, or for fewer fields that lead to other entities`,
    );
  }

  /** Counts a query of an index. **Errors**: {@link CostlyTextError}. */
  countQuery(): void {
    this.countReads(READS_OF_QUERY);
  }

  /** **Errors**: {@link CostlyTextError}. */
  countField(): void {
    this.fields++;
    if (this.fields <= MAX_FIELDS) return;
    throw new CostlyTextError(
      `The answer would have more than ${String(MAX_FIELDS)} fields; ask for smaller pages or fewer fields`,
    );
  }

  /** Counts text that becomes a part of the answer. **Errors**: {@link CostlyTextError}. */
  countLength(length: number): void {
    this.length += length;
    if (this.length <= MAX_LENGTH) return;
    throw new CostlyTextError(
      `The answer would be made from more than ${String(MAX_LENGTH)} characters; ask for smaller pages or fewer fields`,
    );
  }
}
