import type { JsonOutput, JsonOutputObject } from '@stratalog/json';
import type { ValueSchema } from '../parameters/value-schema';

/** The headings of routes, in this order, each with its description. */
export const ROUTE_GROUPS = {
  Write: 'Propose changes of metadata.',
  Read: 'Read entities and their aspects, also as they were.',
  Search: 'Find entities by words and by the values of their fields.',
  Relationships: 'Follow the edges between entities.',
  Assistants: 'Let AI assistants read the catalog, by the Model Context Protocol.',
  Operations: 'Run the catalog: sizes, repairs, clean-up.',
  'Metadata tests': 'Hold metadata to rules: evaluate tests, and read what a definition may say.',
  Model: 'Ask which entities and aspects there are, and what they hold.',
  'Schema registry':
    'Read the schemas of records on Kafka, as producers and consumers ask for them. Errors are `{error_code, message}`.',
  Server: 'Ask the server about itself.',
  Documentation: 'These pages, and the same for tools.',
} as const;

export interface ParameterDocs {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly description: string;
  readonly schema: ValueSchema;
  /** A path parameter is always required. */
  readonly isRequired?: boolean;
  /** The parameter of a query has several values, in any of their notations. */
  readonly isList?: boolean;
}

/** A call that succeeds on any catalog after the preceding examples of its page. */
export interface ExampleDocs {
  readonly title: string;
  /** Values of parameters in the path, the query and the headers, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: JsonOutputObject | readonly JsonOutput[];
}

interface AnswerDocs<Schema> {
  readonly description: string;
  /**
   * The schema of the JSON answer; for an action, of the `value` inside. None: the body is empty, or no JSON.
   */
  readonly schema?: Schema;
  /** The default is that of the route's dialect. */
  readonly contentTypes?: readonly string[];
  /** Notable headers, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a person writes about a route. `Schema` is the form of the schema of its answer. */
export interface RouteProse<Schema> {
  /** The heading of the route. */
  readonly group: keyof typeof ROUTE_GROUPS;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Blank lines separate paragraphs; code stands in back quotes. */
  readonly description?: string;
  /** The replacement. */
  readonly deprecated?: string;
  /** None: the call is always rejected. */
  readonly answer?: AnswerDocs<Schema>;
  /** Other statuses whose body has the form of the answer, with their reasons. */
  readonly answersAlso?: Readonly<Record<number, string>>;
  /** Rejections of this route in addition to the common ones: status to reason. */
  readonly rejections?: Readonly<Record<number, string>>;
  readonly examples: readonly ExampleDocs[];
}

/**
 * The documentation that a person needs to call a route; its path, action and access come from the route
 * itself.
 */
export interface RouteDocs extends RouteProse<ValueSchema> {
  readonly parameters: readonly ParameterDocs[];
  /** The members of an action's body, or the elements of a list. */
  readonly body: ValueSchema | undefined;
}
