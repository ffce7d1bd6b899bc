import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  type ASTNode,
  type ASTVisitor,
  type ValidationContext,
} from 'graphql';
import { didYouMean } from '@stratalog/domain';

/** What serves instead of a field that clients of the original ask for. */
const INSTEAD: Readonly<Record<string, string>> = {
  semanticSearchAcrossEntities: 'searchAcrossEntities does',
  search: 'searchAcrossEntities does',
  searchAcrossEntitiesWithViews: 'searchAcrossEntities does',
  batchGet: 'entities does',
  getInviteToken: 'the identity provider invites people',
  getSecretValues: 'secrets stay where they are kept',
};

/** Changes go through proposals, which take any aspect. */
const INSTEAD_OF_MUTATION = 'POST /aspects?action=ingestProposal changes any aspect';

/** Rejects fields that the schema does not have, in words that say who serves instead, and in those that clients look for. */
export function servedFieldsRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return undefined;
      for (const selection of node.selectionSet.selections) {
        const name = selection.kind === Kind.FIELD ? selection.name.value : node.operation;
        const instead =
          node.operation === OperationTypeNode.MUTATION ? INSTEAD_OF_MUTATION : 'GET /changes lists them';
        context.reportError(unserved(name, `; ${instead}`, node));
      }
      return false;
    },
    Field(node) {
      const parent = context.getParentType();
      if (!parent || context.getFieldDef()) return;
      const name = node.name.value;
      const root = context.getSchema().getQueryType();
      const instead = INSTEAD[name];
      const known = isObjectType(parent) || isInterfaceType(parent) ? Object.keys(parent.getFields()) : [];
      const named = parent === root ? name : `${name} of ${parent.name}`;
      const onType = isAbstractType(parent) ? '; name a type by "... on"' : '';
      const why =
        parent === root && instead !== undefined ? `; ${instead}` : didYouMean(name, known) || onType;
      context.reportError(unserved(named, why, node));
    },
  };
}

function unserved(name: string, why: string, node: ASTNode): GraphQLError {
  return new GraphQLError(`FieldUndefined: Stratalog serves no ${name}${why}`, { nodes: node });
}
