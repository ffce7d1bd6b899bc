import {
  FieldsOnCorrectTypeRule,
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { parseBounded } from './bound-text';
import { servedFieldsRule } from './served-fields-rule';

/** **Units**: characters; a parsed text takes about 50 times its length. */
const MAX_CACHED_LENGTH = 500_000;
/** Most faults that an answer names. */
const MAX_ERRORS = 20;

const RULES = [...specifiedRules.filter((rule) => rule !== FieldsOnCorrectTypeRule), servedFieldsRule];

export type ReadText =
  | { readonly kind: 'valid'; readonly document: DocumentNode }
  | { readonly kind: 'rejected'; readonly errors: readonly GraphQLError[] };

/** Parses and validates texts, and remembers the valid ones: clients send few texts, and these often. */
export class Texts {
  private readonly valid = new LRUCache<string, DocumentNode>({
    maxSize: MAX_CACHED_LENGTH,
    sizeCalculation: (_document, text) => text.length + 1,
  });

  constructor(private readonly schema: GraphQLSchema) {}

  /** **Errors**: `InvalidRequestError` for a text beyond a limit. */
  read(text: string): ReadText {
    const known = this.valid.get(text);
    if (known !== undefined) return { kind: 'valid', document: known };
    const document = parseOrFault(text);
    if (document instanceof GraphQLError) return { kind: 'rejected', errors: [document] };
    if (this.validate(document).length > 0) {
      // Again with the places, which valid texts need not keep.
      return { kind: 'rejected', errors: this.validate(parse(text)).map(asValidationError) };
    }
    this.valid.set(text, document);
    return { kind: 'valid', document };
  }

  private validate(document: DocumentNode): readonly GraphQLError[] {
    return validate(this.schema, document, RULES, { maxErrors: MAX_ERRORS });
  }
}

/** Clients recognize a text that the schema does not fit by these words. */
function asValidationError(error: GraphQLError): GraphQLError {
  return worded(error, `ValidationError: ${error.message}`, 'ValidationError');
}

function parseOrFault(text: string): DocumentNode | GraphQLError {
  try {
    return parseBounded(text);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return worded(error, `InvalidSyntax: ${error.message}`, 'InvalidSyntax');
  }
}

function worded(error: GraphQLError, message: string, classification: string): GraphQLError {
  const { nodes = null, source = null, positions = null } = error;
  return new GraphQLError(message, { nodes, source, positions, extensions: { classification } });
}
