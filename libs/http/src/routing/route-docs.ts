import type { JsonOutput, JsonOutputObject } from '@stratalog/model';

/** The headings under which routes stand, in this order, with what is found there. */
export const ROUTE_GROUPS = {
  Write: 'Propose changes of metadata.',
  Read: 'Read entities and their aspects, also as they were.',
  Search: 'Find entities by words and by the values of their fields.',
  Relationships: 'Follow the edges between entities.',
  Operations: 'Run the catalog: sizes, repairs, clean-up.',
  Model: 'Ask which entities and aspects there are, and what they hold.',
  'Schema registry':
    'Read the schemas of records on Kafka, as producers and consumers ask for them. Errors are `{error_code, message}`.',
  Server: 'Ask the server about itself.',
  Documentation: 'These pages, and the same for tools.',
} as const;

/** What a parameter, a body or an answer looks like: the part of JSON Schema 2020-12 that documentation needs. */
export interface ValueSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';
  readonly description?: string;
  /** `date-time`, `int64`: notes for readers. */
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: JsonOutput;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  /** False: no members but those named. A schema: what members of any name hold. */
  readonly additionalProperties?: ValueSchema | boolean;
  readonly items?: ValueSchema;
  readonly anyOf?: readonly ValueSchema[];
  readonly deprecated?: boolean;
}

export interface ParameterDocs {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly description: string;
  readonly schema: ValueSchema;
  /** A parameter of the path is required anyway. */
  readonly isRequired?: boolean;
}

/** A call that succeeds on any catalog, those before it on the page having been made. */
export interface ExampleDocs {
  readonly title: string;
  /** Values of parameters in the path, the query and the headers, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: JsonOutputObject;
}

export interface AnswerDocs {
  readonly description: string;
  /** Of the JSON that comes back; for an action what is inside `value`. None: the body is empty, or no JSON. */
  readonly schema?: ValueSchema;
  /** By default that of the route's dialect. */
  readonly contentTypes?: readonly string[];
  /** Headers worth reading, with what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a person needs to call a route; its path, action and access are read from the route itself. */
export interface RouteDocs {
  /** The heading that it stands under. */
  readonly group: keyof typeof ROUTE_GROUPS;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Paragraphs are separated by blank lines; code stands in back quotes. */
  readonly description?: string;
  /** What to call instead. */
  readonly deprecated?: string;
  /** Of a call by another method than `GET` alone: true when it changes nothing. Without it such a call counts as one that writes. */
  readonly onlyReads?: boolean;
  readonly parameters?: readonly ParameterDocs[];
  /** The members of an action's body. */
  readonly body?: ValueSchema;
  /** None: the call is always rejected. */
  readonly answer?: AnswerDocs;
  /** Other statuses whose body has the form of the answer, with their reasons. */
  readonly answersAlso?: Readonly<Record<number, string>>;
  /** Rejections of this route beside those that every route has: status to reason. */
  readonly rejections?: Readonly<Record<number, string>>;
  readonly examples: readonly ExampleDocs[];
}
