import { InvalidRequestError } from '@stratalog/domain';

/** A query of an index, and the read of a past version, take about as long as so many reads of entities in a batch. */
const READS_OF_QUERY = 10;
/** Most fields of one answer, each element of a list with its own: a second of work. */
const MAX_FIELDS = 200_000;
/** Most text that one answer is made from. **Units**: characters of JSON. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** A text costs more than one call may. It ends the whole call: a part of an answer would look like all of it. */
class CostlyTextError extends InvalidRequestError {}

/** Counts what the execution of one text costs, and ends it beyond the limits. */
export class Costs {
  /** Rejects as soon as a limit is exceeded. */
  readonly exceeded: Promise<never>;
  /** Never fulfilled: what waits for it after a limit was exceeded does no more work. */
  readonly never = new Promise<never>(() => undefined);
  private reject: (error: Error) => void = () => undefined;
  private readonly ending = new AbortController();
  private reads = 0;
  private fields = 0;
  private length = 0;

  constructor(private readonly maxReads: number) {
    this.exceeded = new Promise<never>((_resolve, reject) => {
      this.reject = reject;
    });
    // Usually no one waits any more.
    this.exceeded.catch(() => undefined);
  }

  /** Aborts when the text is answered, or a limit is exceeded. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  /** Ends the whole call with an error, such as that its caller went away. */
  cancel(error: Error): void {
    this.reject(error);
    this.ending.abort(error);
  }

  /** Ends what is still to be done for the text. */
  end(): void {
    this.ending.abort(new CostlyTextError('The text is answered'));
  }

  /** Counts entities that are read from the store. **Errors**: `InvalidRequestError` beyond the limit. */
  countReads(count: number): void {
    this.reads += count;
    if (this.reads <= this.maxReads) return;
    throw this.exceed(
      `The text takes more than ${String(this.maxReads)} stored reads (STRATALOG_GRAPHQL_MAX_READS); ask for smaller pages, or for fewer fields that lead to other entities`,
    );
  }

  /** Counts a query of an index, or of the past. **Errors**: those of {@link countReads}. */
  countQuery(): void {
    this.countReads(READS_OF_QUERY);
  }

  /** Returns false for a field that is not to be resolved any more. */
  countField(): boolean {
    this.fields++;
    if (this.fields > MAX_FIELDS && !this.ended.aborted) {
      this.exceed(
        `The answer would have more than ${String(MAX_FIELDS)} fields; ask for smaller pages or fewer fields`,
      );
    }
    return !this.ended.aborted;
  }

  /** Counts text that becomes a part of the answer. **Errors**: `InvalidRequestError` beyond the limit. */
  countLength(length: number): void {
    this.length += length;
    if (this.length <= MAX_LENGTH) return;
    throw this.exceed(
      `The answer would be made from more than ${String(MAX_LENGTH)} characters; ask for smaller pages or fewer fields`,
    );
  }

  private exceed(message: string): Error {
    const error = new CostlyTextError(message);
    this.cancel(error);
    return error;
  }
}
