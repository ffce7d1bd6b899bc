/** Privileges of policies of the type `METADATA`, with the aspects that they permit to write. */
export const ASPECTS_BY_PRIVILEGE: Readonly<Record<string, readonly string[]>> = {
  EDIT_ENTITY_TAGS: ['globalTags'],
  EDIT_ENTITY_GLOSSARY_TERMS: ['glossaryTerms'],
  EDIT_ENTITY_OWNERS: ['ownership'],
  EDIT_ENTITY_DOCS: [
    'documentation',
    'editableChartProperties',
    'editableContainerProperties',
    'editableDashboardProperties',
    'editableDataFlowProperties',
    'editableDataJobProperties',
    'editableDatasetProperties',
    'editableERModelRelationshipProperties',
    'editableMlFeatureProperties',
    'editableMlFeatureTableProperties',
    'editableMlModelGroupProperties',
    'editableMlModelProperties',
    'editableMlPrimaryKeyProperties',
    'editableNotebookProperties',
  ],
  EDIT_ENTITY_DOC_LINKS: ['institutionalMemory'],
  EDIT_ENTITY_STATUS: ['status'],
  EDIT_DOMAINS_PRIVILEGE: ['domains'],
  EDIT_DEPRECATION_PRIVILEGE: ['deprecation'],
  EDIT_ENTITY_PROPERTIES: ['structuredProperties'],
  EDIT_ENTITY_EMBED: ['embed'],
  EDIT_ENTITY_OPERATIONS: ['operation'],
  EDIT_LINEAGE: ['upstreamLineage', 'dataJobInputOutput'],
  EDIT_USER_PROFILE: ['corpUserEditableInfo'],
  EDIT_CONTACT_INFO: ['corpGroupEditableInfo'],
};

/** Privileges of policies of the type `PLATFORM`, with the entity types of which they permit every write. */
export const TYPES_BY_PRIVILEGE: Readonly<Record<string, readonly string[]>> = {
  MANAGE_POLICIES: ['dataHubPolicy', 'dataHubRole'],
  MANAGE_USERS_AND_GROUPS: ['corpuser', 'corpGroup'],
  MANAGE_TAGS: ['tag'],
  MANAGE_GLOSSARIES: ['glossaryTerm', 'glossaryNode'],
  MANAGE_DOMAINS: ['domain'],
  MANAGE_STRUCTURED_PROPERTIES: ['structuredProperty'],
  MANAGE_GLOBAL_OWNERSHIP_TYPES: ['ownershipType'],
  MANAGE_TESTS: ['test'],
  MANAGE_INGESTION: ['dataHubIngestionSource', 'dataHubExecutionRequest'],
  MANAGE_SECRETS: ['dataHubSecret'],
};

/** Aspects that decide which policies apply to a user: the right to edit everything does not include them. */
export const GUARDED_ASPECTS: Readonly<Record<string, string>> = {
  groupMembership: 'MANAGE_USERS_AND_GROUPS',
  nativeGroupMembership: 'MANAGE_USERS_AND_GROUPS',
  roleMembership: 'MANAGE_POLICIES',
};

const GUARDING = 'MANAGE_POLICIES';

export interface ChangedPart {
  readonly entityType: string;
  /** Absent for the deletion of the entity. */
  readonly aspectName?: string | undefined;
  readonly exists: boolean;
}

/**
 * Lists the privileges of which one is enough to write an aspect, or to delete an entity.
 *
 * **Source**: `docs/operations/policies.md`, Privileges.
 */
export function findPrivileges({ entityType, aspectName, exists }: ChangedPart): readonly string[] {
  if (TYPES_BY_PRIVILEGE[GUARDING]?.includes(entityType) === true) return [GUARDING];
  const guarding = aspectName === undefined ? undefined : GUARDED_ASPECTS[aspectName];
  if (guarding !== undefined) return [guarding];
  const managing = listPrivileges(TYPES_BY_PRIVILEGE, entityType);
  if (aspectName === undefined) return ['DELETE_ENTITY', ...managing];
  const creating = exists ? [] : ['CREATE_ENTITY'];
  return [...listPrivileges(ASPECTS_BY_PRIVILEGE, aspectName), 'EDIT_ENTITY', ...creating, ...managing];
}

function listPrivileges(table: Readonly<Record<string, readonly string[]>>, name: string): readonly string[] {
  return Object.keys(table).filter((privilege) => table[privilege]?.includes(name));
}
