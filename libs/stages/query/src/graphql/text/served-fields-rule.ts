import {
  GraphQLError,
  Kind,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  type ASTNode,
  type GraphQLCompositeType,
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
  listAccessTokens: 'GET /operations/tokens does',
  createAccessToken: 'POST /operations?action=createToken does',
  revokeAccessToken: 'POST /operations?action=revokeToken does',
};

/** Proposals take any aspect. */
const INSTEAD_OF_MUTATION = 'POST /aspects?action=ingestProposal changes any aspect';

/** Rejects fields that the schema does not have, in words that say who serves instead, and in those that clients look for. */
export function servedFieldsRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return undefined;
      for (const selection of node.selectionSet.selections) {
        const name = selection.kind === Kind.FIELD ? selection.name.value : node.operation;
        context.reportError(unserved(name, '; GET /changes lists them', node));
      }
      return false;
    },
    Field(node) {
      const parent = context.getParentType();
      if (!parent || context.getFieldDef()) return;
      const name = node.name.value;
      const { isRoot, otherwise } = placeOf(parent, context);
      const instead = INSTEAD[name];
      const known = isObjectType(parent) || isInterfaceType(parent) ? Object.keys(parent.getFields()) : [];
      const named = isRoot ? name : `${name} of ${parent.name}`;
      const onType = isAbstractType(parent) ? '; name a type by "... on"' : '';
      const why =
        isRoot && instead !== undefined ? `; ${instead}` : didYouMean(name, known) || otherwise || onType;
      context.reportError(unserved(named, why, node));
    },
  };
}

function placeOf(
  parent: GraphQLCompositeType,
  context: ValidationContext,
): { readonly isRoot: boolean; readonly otherwise: string } {
  const isMutation = parent === context.getSchema().getMutationType();
  const isRoot = isMutation || parent === context.getSchema().getQueryType();
  return { isRoot, otherwise: isMutation ? `; ${INSTEAD_OF_MUTATION}` : '' };
}

function unserved(name: string, why: string, node: ASTNode): GraphQLError {
  return new GraphQLError(`FieldUndefined: Stratalog serves no ${name}${why}`, { nodes: node });
}
