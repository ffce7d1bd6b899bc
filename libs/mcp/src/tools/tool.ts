import type { ApiClient } from '@stratalog/client';
import { describeSchema, parseParameters, text, type ValueSchema } from '@stratalog/http';
import { InvalidRequestError, didYouMean } from '@stratalog/domain';
import type { JsonOutput, JsonOutputObject } from '@stratalog/json';
import * as z from 'zod';

/** The clients of a call, by whether the call changes something. */
export type Clients = Readonly<Record<'reads' | 'writes', ApiClient>>;

/** A place in a list that is answered in parts. */
export interface Place {
  /** The page of the call behind the tool; absent: the first, or the call has no pages. */
  readonly page?: string;
  /** The number of elements before the place, in the page or in the list. */
  readonly skip: number;
}

/** What a tool found, before it is bounded. */
export interface Found {
  /** What is said once, before the list. */
  readonly about: JsonOutputObject;
  readonly list?: {
    readonly name: string;
    /** From the place of the call on. */
    readonly elements: readonly JsonOutput[];
    /** Returns the place of an element of the list, or of the one after the last; `undefined`: there is none. */
    readonly placeOf: (at: number) => Place | undefined;
  };
}

/** A tool as assistants see it. */
interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ValueSchema & { readonly type: 'object'; readonly [name: string]: unknown };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface Tool {
  readonly listed: ListedTool;
  /** **Errors**: `InvalidRequestError` for arguments that the tool does not take; those of the calls behind it. */
  readonly run: (clients: Clients, sent: Readonly<Record<string, unknown>>, from: Place) => Promise<Found>;
}

interface ToolDefinition<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  readonly effect: 'reads' | 'writes';
  readonly run: (clients: Clients, input: z.output<z.ZodObject<Shape>>, from: Place) => Promise<Found>;
}

/** Longest cursor. A cursor of ours has a position of some hundred bytes in it. */
const MAX_CURSOR_BYTES = 4_096;
const CURSOR = {
  cursor: text(MAX_CURSOR_BYTES)
    .optional()
    .describe('Continues an answer that said there is more: its cursor, with the other arguments unchanged.'),
};

/** Defines a tool by one schema: it describes the arguments, and parses them with the words of the catalog. */
export function defineTool<const Shape extends z.ZodRawShape>({
  name,
  title,
  description,
  input,
  effect,
  run,
}: ToolDefinition<Shape>): Tool {
  const schema = z.object(input);
  const changes = effect === 'writes';
  const listed = describeSchema(changes ? schema : schema.extend(CURSOR));
  const { properties = {}, required = [] } = listed;
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: { ...listed, type: 'object', properties, additionalProperties: false },
      annotations: {
        readOnlyHint: !changes,
        destructiveHint: changes,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    run: (clients, given, from) => {
      const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
      const names = Object.keys(sent);
      const known = Object.keys(input);
      const unknown = names.find((each) => !known.includes(each));
      if (unknown !== undefined) {
        const near = didYouMean(unknown, known);
        throw new InvalidRequestError(`The tool ${name} takes no argument '${unknown.slice(0, 100)}'${near}`);
      }
      return run(
        clients,
        parseParameters(schema, required, { sent, action: undefined, names: () => names }),
        from,
      );
    },
  };
}
