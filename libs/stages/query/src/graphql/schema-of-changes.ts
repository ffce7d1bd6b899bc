/** The mutations of `/api/graphql`: those that published clients send, with their names and answers. */
export const SDL_OF_CHANGES = `
"""What clients may change, with the rights of their callers. Each field is written as a whole or not at all."""
type Mutation {
  """Adds a tag to an entity or a column."""
  addTag(input: TagAssociationInput!): Boolean
  """Adds tags to an entity or a column."""
  addTags(input: AddTagsInput!): Boolean
  """Adds tags to several entities or columns."""
  batchAddTags(input: BatchAddTagsInput!): Boolean
  """Removes a tag from an entity or a column."""
  removeTag(input: TagAssociationInput!): Boolean
  """Removes tags from several entities or columns."""
  batchRemoveTags(input: BatchRemoveTagsInput!): Boolean
  """Makes a tag, and answers its urn."""
  createTag(input: CreateTagInput!): String
  """Adds a glossary term to an entity or a column."""
  addTerm(input: TermAssociationInput!): Boolean
  """Adds glossary terms to an entity or a column."""
  addTerms(input: AddTermsInput!): Boolean
  """Adds glossary terms to several entities or columns."""
  batchAddTerms(input: BatchAddTermsInput!): Boolean
  """Removes a glossary term from an entity or a column."""
  removeTerm(input: TermAssociationInput!): Boolean
  """Removes glossary terms from several entities or columns."""
  batchRemoveTerms(input: BatchRemoveTermsInput!): Boolean
  """Adds an owner to an entity."""
  addOwner(input: AddOwnerInput!): Boolean
  """Adds owners to an entity."""
  addOwners(input: AddOwnersInput!): Boolean
  """Adds owners to several entities."""
  batchAddOwners(input: BatchAddOwnersInput!): Boolean
  """Removes an owner from an entity, from one type of ownership or from all."""
  removeOwner(input: RemoveOwnerInput!): Boolean
  """Removes owners from several entities, from one type of ownership or from all."""
  batchRemoveOwners(input: BatchRemoveOwnersInput!): Boolean
  """Sets the description by people of an entity or a column."""
  updateDescription(input: DescriptionUpdateInput!): Boolean
  """Puts an entity into a domain."""
  setDomain(entityUrn: String!, domainUrn: String!): Boolean
  """Takes an entity out of its domain."""
  unsetDomain(entityUrn: String!): Boolean
  """Puts several entities into a domain; without one, into none."""
  batchSetDomain(input: BatchSetDomainInput!): Boolean
  """Says that an entity should no longer be used, or should be again."""
  updateDeprecation(input: UpdateDeprecationInput!): Boolean
  """Sets structured properties of an entity; the others stay."""
  upsertStructuredProperties(input: UpsertStructuredPropertiesInput!): StructuredProperties!
  """Removes structured properties of an entity."""
  removeStructuredProperties(input: RemoveStructuredPropertiesInput!): StructuredProperties!
  """Reports that a dataset was changed."""
  reportOperation(input: ReportOperationInput!): Boolean
  """Writes a check that another system runs; without a urn, a new one."""
  upsertCustomAssertion(urn: String, input: UpsertCustomAssertionInput!): Assertion!
  """Reports a run of a check."""
  reportAssertionResult(urn: String!, result: AssertionResultInput!): Boolean
  """Raises an incident about entities, and answers its urn."""
  raiseIncident(input: RaiseIncidentInput!): String
  """Changes the state of an incident."""
  updateIncidentStatus(urn: String!, input: IncidentStatusInput!): Boolean
  """Assigns a form to entities that do not have it yet."""
  batchAssignForm(input: BatchAssignFormInput!): Boolean!
  """Assigns a form to all entities that match a filter."""
  createDynamicFormAssignment(input: CreateDynamicFormAssignmentInput!): Boolean!
}

"""An entity, or one of its columns."""
input ResourceRefInput {
  resourceUrn: String!
  subResourceType: SubResourceType
  """The path of the column."""
  subResource: String
}

enum SubResourceType {
  DATASET_FIELD
}

input TagAssociationInput {
  tagUrn: String!
  resourceUrn: String!
  subResourceType: SubResourceType
  subResource: String
}

input AddTagsInput {
  tagUrns: [String!]!
  resourceUrn: String!
  subResourceType: SubResourceType
  subResource: String
}

input BatchAddTagsInput {
  tagUrns: [String!]!
  resources: [ResourceRefInput!]!
}

input BatchRemoveTagsInput {
  tagUrns: [String!]!
  resources: [ResourceRefInput!]!
}

input CreateTagInput {
  """The part of the urn; without one, a new one."""
  id: String
  name: String!
  description: String
}

input TermAssociationInput {
  termUrn: String!
  resourceUrn: String!
  subResourceType: SubResourceType
  subResource: String
}

input AddTermsInput {
  termUrns: [String!]!
  resourceUrn: String!
  subResourceType: SubResourceType
  subResource: String
}

input BatchAddTermsInput {
  termUrns: [String!]!
  resources: [ResourceRefInput!]!
}

input BatchRemoveTermsInput {
  termUrns: [String!]!
  resources: [ResourceRefInput!]!
}

enum OwnerEntityType {
  CORP_USER
  CORP_GROUP
}

input OwnerInput {
  ownerUrn: String!
  ownerEntityType: OwnerEntityType!
  type: OwnershipType
  ownershipTypeUrn: String
}

input AddOwnerInput {
  ownerUrn: String!
  ownerEntityType: OwnerEntityType!
  type: OwnershipType
  ownershipTypeUrn: String
  resourceUrn: String!
}

input AddOwnersInput {
  owners: [OwnerInput!]!
  resourceUrn: String!
}

input BatchAddOwnersInput {
  owners: [OwnerInput!]!
  """The type of ownership of owners that have none."""
  ownershipTypeUrn: String
  resources: [ResourceRefInput!]!
}

input RemoveOwnerInput {
  ownerUrn: String!
  ownershipTypeUrn: String
  resourceUrn: String!
}

input BatchRemoveOwnersInput {
  ownerUrns: [String!]!
  ownershipTypeUrn: String
  resources: [ResourceRefInput!]!
}

input DescriptionUpdateInput {
  description: String!
  resourceUrn: String!
  subResourceType: SubResourceType
  subResource: String
}

input BatchSetDomainInput {
  domainUrn: String
  resources: [ResourceRefInput!]!
}

input UpdateDeprecationInput {
  urn: String!
  deprecated: Boolean!
  """Milliseconds since 1970."""
  decommissionTime: Long
  note: String
  replacement: String
}

input UpsertStructuredPropertiesInput {
  assetUrn: String!
  structuredPropertyInputParams: [StructuredPropertyInputParams!]!
}

input StructuredPropertyInputParams {
  structuredPropertyUrn: String!
  values: [PropertyValueInput!]!
}

input PropertyValueInput {
  stringValue: String
  numberValue: Float
}

input RemoveStructuredPropertiesInput {
  assetUrn: String!
  structuredPropertyUrns: [String!]!
}

input StringMapEntryInput {
  key: String!
  value: String
}

input ReportOperationInput {
  urn: String!
  operationType: OperationType!
  customOperationType: String
  sourceType: OperationSourceType!
  customProperties: [StringMapEntryInput!]
  partition: String
  numAffectedRows: Long
  timestampMillis: Long
}

input PlatformInput {
  urn: String
  name: String
}

input AssertionStdParameterInput {
  value: String!
  type: AssertionStdParameterType!
}

input AssertionStdParametersInput {
  value: AssertionStdParameterInput
  minValue: AssertionStdParameterInput
  maxValue: AssertionStdParameterInput
}

input UpsertCustomAssertionInput {
  entityUrn: String!
  type: String!
  description: String!
  fieldPath: String
  fieldPaths: [String!]
  platform: PlatformInput!
  externalUrl: String
  logic: String
  scope: DatasetAssertionScope
  aggregation: AssertionStdAggregation
  operator: AssertionStdOperator
  parameters: AssertionStdParametersInput
  nativeType: String
  nativeParameters: [StringMapEntryInput!]
}

input AssertionResultErrorInput {
  type: AssertionResultErrorType!
  message: String!
}

input AssertionResultInput {
  timestampMillis: Long
  type: AssertionResultType!
  properties: [StringMapEntryInput!]
  externalUrl: String
  error: AssertionResultErrorInput
  severity: AssertionResultSeverity
}

input IncidentSourceInput {
  type: IncidentSourceType!
}

input IncidentStatusInput {
  state: IncidentState!
  stage: IncidentStage
  message: String
}

input RaiseIncidentInput {
  type: IncidentType!
  customType: String
  title: String
  description: String
  resourceUrn: String
  resourceUrns: [String!]
  startedAt: Long
  source: IncidentSourceInput
  status: IncidentStatusInput
  priority: IncidentPriority
  assigneeUrns: [String!]
}

input BatchAssignFormInput {
  formUrn: String!
  entityUrns: [String!]!
}

input CreateDynamicFormAssignmentInput {
  formUrn: String!
  orFilters: [AndFilterInput!]!
}
`;
