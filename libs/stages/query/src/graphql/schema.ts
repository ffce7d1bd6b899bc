/**
 * The schema of `/api/graphql`. Names and nullability are those that GraphQL clients of DataHub expect; only what is listed here is served.
 *
 * Directives say where a value comes from, and no client sees them: `@entity` the entity type of an object type, `@aspect` the aspect, and the
 * place in it, `@member` the place in the enclosing value when it is not the member of the same name, `@key` a part of the urn where the value is absent.
 * What these cannot say is in `field-resolvers.ts`.
 */
export const SDL = `
"""What clients may ask for."""
type Query {
  """The entity with this urn; null when there is none."""
  entity(urn: String!): Entity
  """Several entities in the order of their urns; null for each that does not exist."""
  entities(urns: [String!]!): [Entity]
  """A dataset."""
  dataset(urn: String!): Dataset
  """One page of the matches of a search."""
  searchAcrossEntities(input: SearchAcrossEntitiesInput!): SearchResults
  """All matches of a search, page by page."""
  scrollAcrossEntities(input: ScrollAcrossEntitiesInput!): ScrollResults
  """One page of the entities that lineage leads to."""
  searchAcrossLineage(input: SearchAcrossLineageInput!): SearchAcrossLineageResults
  """All entities that lineage leads to, page by page."""
  scrollAcrossLineage(input: ScrollAcrossLineageInput!): ScrollAcrossLineageResults
  """A data job."""
  dataJob(urn: String!): DataJob
  """Who calls."""
  me: AuthenticatedUser
  """What clients ask a server about itself."""
  appConfig: AppConfig
  """The view of everybody."""
  globalViewsSettings: GlobalViewsSettings
  """The queries that name a dataset, the last changed first."""
  listQueries(input: ListQueriesInput!): ListQueriesResult
  """The types of ownership."""
  listOwnershipTypes(input: ListOwnershipTypesInput!): ListOwnershipTypesResult!
}

"""A whole number of up to 64 bits."""
scalar Long

"""The entity types of the model in the spelling of GraphQL clients. The values are added from the model."""
enum EntityType {
  OTHER
}

"""An entity of any type."""
interface Entity {
  urn: String!
  type: EntityType!
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
}

"""An entity of a type that this schema has no type for, such as one of your own model."""
type GenericEntity implements Entity {
  urn: String!
  type: EntityType!
  aspects: [RawAspect!]!
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
}

"""An aspect as it is stored."""
type RawAspect {
  aspectName: String!
  """JSON text."""
  payload: String!
}

union OwnerType = CorpUser | CorpGroup

union PropertyValue = StringValue | NumberValue

union PlatformSchema = TableSchema | KeyValueSchema

type AggregationMetadata {
  count: Long!
  displayName: String
  entity: Entity
  value: String!
}

type AllowedValue {
  description: String
  value: PropertyValue!
}

type AppConfig {
  telemetryConfig: TelemetryConfig!
}

"""An entity of the type application."""
type Application implements Entity @entity(type: "application") {
  urn: String!
  type: EntityType!
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
}

"""An entity of the type assertion."""
type Assertion implements Entity @entity(type: "assertion") {
  urn: String!
  type: EntityType!
  info: AssertionInfo @aspect(name: "assertionInfo")
  platform: DataPlatform! @platform
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  runEvents(endTimeMillis: Long, filter: FilterInput, limit: Int, startTimeMillis: Long, status: AssertionRunStatus): AssertionRunEventsResult
}

type AssertionInfo {
  datasetAssertion: DatasetAssertionInfo
  description: String
  fieldAssertion: FieldAssertionInfo
  lastUpdated: AuditStamp
  source: AssertionSource
  sqlAssertion: SqlAssertionInfo
  type: AssertionType!
  volumeAssertion: VolumeAssertionInfo
}

type AssertionResult {
  actualAggValue: Float
  error: AssertionResultError
  externalUrl: String
  missingCount: Long
  nativeResults: [StringMapEntry!]
  rowCount: Long
  severity: AssertionResultSeverity
  type: AssertionResultType!
  unexpectedCount: Long
}

type AssertionResultError {
  properties: [StringMapEntry!]
  type: AssertionResultErrorType!
}

type AssertionRunEvent {
  assertionUrn: String!
  partitionSpec: PartitionSpec
  result: AssertionResult
  status: AssertionRunStatus!
  timestampMillis: Long!
}

type AssertionRunEventsResult {
  failed: Int!
  runEvents: [AssertionRunEvent!]!
  succeeded: Int!
  total: Int!
}

type AssertionSource {
  created: AuditStamp
  type: AssertionSourceType!
}

type AssertionStdParameter {
  type: AssertionStdParameterType!
  value: String!
}

type AssertionStdParameters {
  maxValue: AssertionStdParameter
  minValue: AssertionStdParameter
  value: AssertionStdParameter
}

type AuditStamp {
  actor: String
  time: Long!
}

type AuthenticatedUser {
  corpUser: CorpUser!
}

type BrowsePathEntry {
  entity: Entity @member(path: "urn")
}

type BrowsePathV2 {
  path: [BrowsePathEntry!]!
}

"""An entity of the type businessAttribute."""
type BusinessAttribute implements Entity @entity(type: "businessAttribute") {
  urn: String!
  type: EntityType!
  ownership: Ownership @aspect(name: "ownership")
  properties: BusinessAttributeInfo @aspect(name: "businessAttributeInfo")
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
}

type BusinessAttributeAssociation {
  businessAttribute: BusinessAttribute! @member(path: "businessAttributeUrn")
}

type BusinessAttributeInfo {
  created: AuditStamp! @default(json: "{\\"time\\": 0}")
  description: String
  glossaryTerms: GlossaryTerms
  lastModified: AuditStamp! @default(json: "{\\"time\\": 0}")
  name: String!
  tags: GlobalTags @member(path: "globalTags")
  type: SchemaFieldDataType
}

type BusinessAttributes {
  businessAttribute: BusinessAttributeAssociation
}

"""An entity of the type chart."""
type Chart implements Entity @entity(type: "chart") {
  urn: String!
  type: EntityType!
  chartId: String! @key(part: 1)
  deprecation: Deprecation @aspect(name: "deprecation")
  domain: DomainAssociation
  editableProperties: ChartEditableProperties @aspect(name: "editableChartProperties")
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  health: [Health!]
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: ChartProperties @aspect(name: "chartInfo")
  incidents(count: Int, start: Int, state: IncidentState): EntityIncidentsResult
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  subTypes: SubTypes @aspect(name: "subTypes")
  tags: GlobalTags @aspect(name: "globalTags")
  tool: String! @key(part: 0)
}

type ChartEditableProperties {
  description: String
}

type ChartProperties {
  access: AccessLevel
  customProperties: [CustomPropertiesEntry!]
  description: String
  externalUrl: String @member(path: "externalUrl")
  lastModified: AuditStamp! @member(path: "lastModified.lastModified") @default(json: "{\\"time\\": 0}")
  name: String! @member(path: "title") @key(part: 1)
  type: ChartType
}

"""An entity of the type container."""
type Container implements Entity @entity(type: "container") {
  urn: String!
  type: EntityType!
  browsePathV2: BrowsePathV2 @aspect(name: "browsePathsV2")
  deprecation: Deprecation @aspect(name: "deprecation")
  domain: DomainAssociation
  editableProperties: ContainerEditableProperties @aspect(name: "editableContainerProperties")
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: ContainerProperties @aspect(name: "containerProperties")
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  subTypes: SubTypes @aspect(name: "subTypes")
  tags: GlobalTags @aspect(name: "globalTags")
}

type ContainerEditableProperties {
  description: String
}

type ContainerProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String
  name: String! @key(part: 0)
}

"""An entity of the type corpGroup."""
type CorpGroup implements Entity @entity(type: "corpGroup") {
  urn: String!
  type: EntityType!
  info: CorpGroupInfo @aspect(name: "corpGroupInfo")
  name: String! @key(part: 0)
  ownership: Ownership @aspect(name: "ownership")
  properties: CorpGroupProperties @aspect(name: "corpGroupInfo")
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
}

type CorpGroupInfo {
  admins: [CorpUser!]
  displayName: String
  email: String
  groups: [String!]
  members: [CorpUser!]
}

type CorpGroupProperties {
  description: String
  displayName: String
  email: String
}

"""An entity of the type corpuser."""
type CorpUser implements Entity @entity(type: "corpuser") {
  urn: String!
  type: EntityType!
  editableInfo: CorpUserEditableInfo @aspect(name: "corpUserEditableInfo")
  editableProperties: CorpUserEditableProperties @aspect(name: "corpUserEditableInfo")
  exists: Boolean
  info: CorpUserInfo @aspect(name: "corpUserInfo")
  properties: CorpUserProperties @aspect(name: "corpUserInfo")
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  settings: CorpUserSettings @aspect(name: "corpUserSettings")
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  username: String! @key(part: 0)
}

type CorpUserEditableInfo {
  skills: [String!]
  teams: [String!]
}

type CorpUserEditableProperties {
  displayName: String
  email: String
  pictureLink: String
  skills: [String!]
  teams: [String!]
  title: String
}

type CorpUserInfo {
  active: Boolean!
  displayName: String
  email: String
  firstName: String
  fullName: String
  lastName: String
  title: String
}

type CorpUserProperties {
  active: Boolean!
  customProperties: [CustomPropertiesEntry!]
  displayName: String
  email: String
  title: String
}

type CorpUserSettings {
  views: CorpUserViewsSettings
}

type CorpUserViewsSettings {
  defaultView: DataHubView
}

type CustomPropertiesEntry {
  key: String!
  value: String
}

"""An entity of the type dashboard."""
type Dashboard implements Entity @entity(type: "dashboard") {
  urn: String!
  type: EntityType!
  dashboardId: String! @key(part: 1)
  deprecation: Deprecation @aspect(name: "deprecation")
  domain: DomainAssociation
  editableProperties: DashboardEditableProperties @aspect(name: "editableDashboardProperties")
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  health: [Health!]
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: DashboardProperties @aspect(name: "dashboardInfo")
  incidents(count: Int, start: Int, state: IncidentState): EntityIncidentsResult
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  subTypes: SubTypes @aspect(name: "subTypes")
  tags: GlobalTags @aspect(name: "globalTags")
  tool: String! @key(part: 0)
}

type DashboardEditableProperties {
  description: String
}

type DashboardProperties {
  access: AccessLevel
  customProperties: [CustomPropertiesEntry!]
  description: String
  externalUrl: String
  lastModified: AuditStamp! @member(path: "lastModified.lastModified") @default(json: "{\\"time\\": 0}")
  name: String! @member(path: "title") @key(part: 1)
}

"""An entity of the type dataFlow."""
type DataFlow implements Entity @entity(type: "dataFlow") {
  urn: String!
  type: EntityType!
  cluster: String! @key(part: 2)
  deprecation: Deprecation @aspect(name: "deprecation")
  documentation: Documentation @aspect(name: "documentation")
  domain: DomainAssociation
  editableProperties: DataFlowEditableProperties @aspect(name: "editableDataFlowProperties")
  flowId: String! @key(part: 1)
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  health: [Health!]
  lastIngested: Long
  orchestrator: String! @key(part: 0)
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: DataFlowProperties @aspect(name: "dataFlowInfo")
  incidents(count: Int, start: Int, state: IncidentState): EntityIncidentsResult
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  tags: GlobalTags @aspect(name: "globalTags")
}

type DataFlowEditableProperties {
  description: String
}

type DataFlowProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String
  externalUrl: String
  name: String! @key(part: 1)
  project: String
}

"""An entity of the type dataHubView."""
type DataHubView implements Entity @entity(type: "dataHubView") {
  urn: String!
  type: EntityType!
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
}

"""An entity of the type dataJob."""
type DataJob implements Entity @entity(type: "dataJob") {
  urn: String!
  type: EntityType!
  dataFlow: DataFlow @key(part: 0)
  dataPlatformInstance: DataPlatformInstance @aspect(name: "dataPlatformInstance", path: "instance")
  deprecation: Deprecation @aspect(name: "deprecation")
  domain: DomainAssociation
  editableProperties: DataJobEditableProperties @aspect(name: "editableDataJobProperties")
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  health: [Health!]
  inputOutput: DataJobInputOutput @aspect(name: "dataJobInputOutput")
  jobId: String! @key(part: 1)
  lastIngested: Long
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform @platform
  properties: DataJobProperties @aspect(name: "dataJobInfo")
  incidents(count: Int, start: Int, state: IncidentState): EntityIncidentsResult
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  runs(count: Int, start: Int): DataProcessInstanceResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  subTypes: SubTypes @aspect(name: "subTypes")
  tags: GlobalTags @aspect(name: "globalTags")
}

type DataJobEditableProperties {
  description: String
}

type DataJobInputOutput {
  inputDatasets: [Dataset!] @member(path: "inputDatasets")
  outputDatasets: [Dataset!] @member(path: "outputDatasets")
}

type DataJobProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String
  name: String! @key(part: 1)
}

"""An entity of the type dataPlatform."""
type DataPlatform implements Entity @entity(type: "dataPlatform") {
  urn: String!
  type: EntityType!
  name: String! @key(part: 0)
  properties: DataPlatformProperties @aspect(name: "dataPlatformInfo")
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
}

"""An entity of the type dataPlatformInstance."""
type DataPlatformInstance implements Entity @entity(type: "dataPlatformInstance") {
  urn: String!
  type: EntityType!
  instanceId: String! @key(part: 1)
  platform: DataPlatform! @key(part: 0)
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
}

type DataPlatformProperties {
  datasetNameDelimiter: String!
  displayName: String
  logoUrl: String
}

"""An entity of the type dataProcessInstance."""
type DataProcessInstance implements Entity @entity(type: "dataProcessInstance") {
  urn: String!
  type: EntityType!
  created: AuditStamp @aspect(name: "dataProcessInstanceProperties", path: "created")
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
}

type DataProcessInstanceResult {
  runs: [DataProcessInstance]
  total: Int
}

"""An entity of the type dataProduct."""
type DataProduct implements Entity @entity(type: "dataProduct") {
  urn: String!
  type: EntityType!
  domain: DomainAssociation
  entities(input: SearchAcrossEntitiesInput): SearchResults
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  ownership: Ownership @aspect(name: "ownership")
  properties: DataProductProperties @aspect(name: "dataProductProperties")
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  tags: GlobalTags @aspect(name: "globalTags")
}

type DataProductProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String
  name: String! @key(part: 0)
}

"""An entity of the type dataType."""
type DataTypeEntity implements Entity @entity(type: "dataType") {
  urn: String!
  type: EntityType!
  info: DataTypeInfo! @aspect(name: "dataTypeInfo") @default(json: "{}")
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
}

type DataTypeInfo {
  displayName: String
  qualifiedName: String! @key(part: 0)
}

"""An entity of the type dataset."""
type Dataset implements Entity @entity(type: "dataset") {
  urn: String!
  type: EntityType!
  assertions(count: Int, start: Int): EntityAssertionsResult
  container: Container @aspect(name: "container", path: "container")
  deprecation: Deprecation @aspect(name: "deprecation")
  domain: DomainAssociation
  editableProperties: DatasetEditableProperties @aspect(name: "editableDatasetProperties")
  editableSchemaMetadata: EditableSchemaMetadata @aspect(name: "editableSchemaMetadata")
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  health: [Health!]
  name: String! @aspect(name: "datasetProperties", path: "name") @key(part: 1)
  operations(endTimeMillis: Long, filter: FilterInput, limit: Int, startTimeMillis: Long): [Operation!]
  origin: FabricType! @key(part: 2)
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: DatasetProperties @aspect(name: "datasetProperties")
  incidents(count: Int, start: Int, state: IncidentState): EntityIncidentsResult
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  schemaMetadata(version: Long): SchemaMetadata
  statsSummary: DatasetStatsSummary
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  subTypes: SubTypes @aspect(name: "subTypes")
  tags: GlobalTags @aspect(name: "globalTags")
  viewProperties: ViewProperties @aspect(name: "viewProperties")
}

type DatasetAssertionInfo {
  aggregation: AssertionStdAggregation
  datasetUrn: String! @member(path: "dataset")
  fields: [SchemaFieldRef!]
  logic: String
  nativeParameters: [StringMapEntry!]
  nativeType: String
  operator: AssertionStdOperator!
  parameters: AssertionStdParameters
  scope: DatasetAssertionScope!
}

type DatasetEditableProperties {
  description: String
  name: String
}

type DatasetProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String
  externalUrl: String
  name: String! @key(part: 1)
  qualifiedName: String
}

"""How a dataset is used. No value is computed: the catalog has usage by POST /usageStats?action=queryRange."""
type DatasetStatsSummary {
  queryCountLast30Days: Long
  queryCountPercentileLast30Days: Int
  queryCountRankLast30Days: Int
  rowCount: Long
  rowCountPercentile: Int
  sizeInBytes: Long
  sizeInBytesPercentile: Int
  topUsersLast30Days: [CorpUser!]
  uniqueUserCountLast30Days: Int
  uniqueUserPercentileLast30Days: Int
  uniqueUserRankLast30Days: Int
  updateCountLast30Days: Long
  updateCountPercentileLast30Days: Int
}

type Deprecation {
  actor: String
  actorEntity: Entity @member(path: "actor")
  decommissionTime: Long
  deprecated: Boolean!
  note: String
}

type DisplayProperties {
  icon: IconProperties
}

"""An entity of the type document."""
type Document implements Entity @entity(type: "document") {
  urn: String!
  type: EntityType!
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  info: DocumentInfo @aspect(name: "documentInfo")
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  settings: DocumentSettings @aspect(name: "documentSettings")
  subType: String @aspect(name: "subTypes", path: "typeNames.0")
  tags: GlobalTags @aspect(name: "globalTags")
}

type DocumentContent {
  text: String!
}

type DocumentInfo {
  contents: DocumentContent!
  created: ResolvedAuditStamp!
  lastModified: ResolvedAuditStamp!
  parentDocument: DocumentParentDocument
  relatedAssets: [DocumentRelatedAsset!]
  relatedDocuments: [DocumentRelatedDocument!]
  source: DocumentSource
  title: String
}

type DocumentParentDocument {
  document: Document!
}

type DocumentRelatedAsset {
  asset: Entity!
}

type DocumentRelatedDocument {
  document: Document!
}

type DocumentSettings {
  showInGlobalContext: Boolean
}

type DocumentSource {
  externalUrl: String
  sourceType: DocumentSourceType!
}

type Documentation {
  documentations: [DocumentationAssociation!]!
}

type DocumentationAssociation {
  attribution: MetadataAttribution
  documentation: String!
}

"""An entity of the type domain."""
type Domain implements Entity @entity(type: "domain") {
  urn: String!
  type: EntityType!
  displayProperties: DisplayProperties @aspect(name: "displayProperties")
  entities(input: DomainEntitiesInput): SearchResults
  ownership: Ownership @aspect(name: "ownership")
  parentDomains: ParentDomainsResult
  properties: DomainProperties @aspect(name: "domainProperties")
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
}

type DomainAssociation {
  domain: Domain!
}

type DomainProperties {
  description: String
  name: String! @key(part: 0)
}

type EditableSchemaFieldInfo {
  description: String
  fieldPath: String!
  glossaryTerms: GlossaryTerms
  tags: GlobalTags @member(path: "globalTags")
}

type EditableSchemaMetadata {
  editableSchemaFieldInfo: [EditableSchemaFieldInfo!]!
}

type EntityAssertionsResult {
  assertions: [Assertion!]!
  total: Int!
}

type EntityPath {
  path: [Entity]!
}

type EntityRelationship {
  entity: Entity
  type: String!
}

type EntityRelationshipsResult {
  count: Int
  relationships: [EntityRelationship!]!
  start: Int
  total: Int
}

"""An entity of the type entityType."""
type EntityTypeEntity implements Entity @entity(type: "entityType") {
  urn: String!
  type: EntityType!
  info: EntityTypeInfo! @aspect(name: "entityTypeInfo") @default(json: "{}")
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
}

type EntityTypeInfo {
  displayName: String
  type: EntityType!
}

type EntityIncidentsResult {
  count: Int
  incidents: [Incident!]
  start: Int
  total: Int
}

type ExtraProperty {
  name: String!
  value: String!
}

type FacetMetadata {
  aggregations: [AggregationMetadata!]!
  displayName: String
  field: String!
}

type FieldAssertionInfo {
  entityUrn: String! @member(path: "entity")
  fieldMetricAssertion: FieldMetricAssertion
  fieldValuesAssertion: FieldValuesAssertion
  type: FieldAssertionType!
}

type FieldMetricAssertion {
  field: SchemaFieldSpec!
  metric: FieldMetricType!
  operator: AssertionStdOperator!
  parameters: AssertionStdParameters
}

type FieldValuesAssertion {
  excludeNulls: Boolean! @default(json: "true")
  failThreshold: FieldValuesFailThreshold!
  field: SchemaFieldSpec!
  operator: AssertionStdOperator!
  parameters: AssertionStdParameters
}

type FieldValuesFailThreshold {
  type: FieldValuesFailThresholdType! @default(json: "\\"COUNT\\"")
  value: Long! @default(json: "0")
}

type ForeignKeyConstraint {
  foreignDataset: Dataset
  foreignFields: [SchemaFieldEntity]
  name: String
  sourceFields: [SchemaFieldEntity]
}

type GlobalTags {
  tags: [TagAssociation!]
}

type GlobalViewsSettings {
  defaultView: String
}

"""An entity of the type glossaryNode."""
type GlossaryNode implements Entity @entity(type: "glossaryNode") {
  urn: String!
  type: EntityType!
  displayProperties: DisplayProperties @aspect(name: "displayProperties")
  ownership: Ownership @aspect(name: "ownership")
  properties: GlossaryNodeProperties @aspect(name: "glossaryNodeInfo")
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
}

type GlossaryNodeProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String @member(path: "definition")
  name: String! @key(part: 0)
}

"""An entity of the type glossaryTerm."""
type GlossaryTerm implements Entity @entity(type: "glossaryTerm") {
  urn: String!
  type: EntityType!
  deprecation: Deprecation @aspect(name: "deprecation")
  hierarchicalName: String! @key(part: 0)
  name: String! @key(part: 0, after: ".")
  ownership: Ownership @aspect(name: "ownership")
  parentNodes: ParentNodesResult
  properties: GlossaryTermProperties @aspect(name: "glossaryTermInfo")
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
}

type GlossaryTermAssociation {
  actor: CorpUser
  context: String
  term: GlossaryTerm! @member(path: "urn")
}

type GlossaryTermProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String @member(path: "definition")
  name: String! @key(part: 0, after: ".")
  rawSchema: String
  sourceRef: String
  sourceUrl: String
  termSource: String!
}

type GlossaryTerms {
  terms: [GlossaryTermAssociation!]
}

type Health {
  causes: [String!]
  message: String
  status: HealthStatus!
  type: HealthStatusType!
}

type IconProperties {
  iconLibrary: IconLibrary
  name: String
  style: String
}

"""An entity of the type incident."""
type Incident implements Entity @entity(type: "incident") {
  urn: String!
  type: EntityType!
  assignees: [OwnerType!]
  created: AuditStamp! @aspect(name: "incidentInfo", path: "created")
  customType: String @aspect(name: "incidentInfo", path: "customType")
  description: String @aspect(name: "incidentInfo", path: "description")
  entity: Entity!
  incidentStatus: IncidentStatus @aspect(name: "incidentInfo", path: "status")
  incidentType: IncidentType! @aspect(name: "incidentInfo", path: "type")
  priority: IncidentPriority
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  source: IncidentSource @aspect(name: "incidentInfo", path: "source")
  startedAt: Long @aspect(name: "incidentInfo", path: "startedAt")
  tags: GlobalTags @aspect(name: "globalTags")
  title: String @aspect(name: "incidentInfo", path: "title")
}

type IncidentSource {
  source: Entity @member(path: "sourceUrn")
  type: IncidentSourceType!
}

type IncidentStatus {
  lastUpdated: AuditStamp!
  message: String
  stage: IncidentStage
  state: IncidentState!
}

type KeyValueSchema {
  keySchema: String!
  valueSchema: String!
}

type ListOwnershipTypesResult {
  count: Int!
  ownershipTypes: [OwnershipTypeEntity!]!
  start: Int!
  total: Int!
}

type ListQueriesResult {
  count: Int!
  queries: [QueryEntity!]!
  start: Int!
  total: Int!
}

"""An entity of the type mlFeature."""
type MLFeature implements Entity @entity(type: "mlFeature") {
  urn: String!
  type: EntityType!
  deprecation: Deprecation @aspect(name: "deprecation")
  description: String @aspect(name: "mlFeatureProperties", path: "description")
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  name: String! @key(part: 1)
  ownership: Ownership @aspect(name: "ownership")
  properties: MLFeatureProperties @aspect(name: "mlFeatureProperties")
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  tags: GlobalTags @aspect(name: "globalTags")
}

type MLFeatureProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String
}

"""An entity of the type mlFeatureTable."""
type MLFeatureTable implements Entity @entity(type: "mlFeatureTable") {
  urn: String!
  type: EntityType!
  deprecation: Deprecation @aspect(name: "deprecation")
  description: String @aspect(name: "mlFeatureTableProperties", path: "description")
  domain: DomainAssociation
  featureTableProperties: MLFeatureTableProperties @aspect(name: "mlFeatureTableProperties")
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  name: String! @key(part: 1)
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: MLFeatureTableProperties @aspect(name: "mlFeatureTableProperties")
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  tags: GlobalTags @aspect(name: "globalTags")
}

type MLFeatureTableProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String
  mlFeatures: [MLFeature]
  mlPrimaryKeys: [MLPrimaryKey]
}

"""An entity of the type mlModel."""
type MLModel implements Entity @entity(type: "mlModel") {
  urn: String!
  type: EntityType!
  deprecation: Deprecation @aspect(name: "deprecation")
  description: String @aspect(name: "mlModelProperties", path: "description")
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  name: String! @key(part: 1)
  origin: FabricType! @key(part: 2)
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: MLModelProperties @aspect(name: "mlModelProperties")
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  tags: GlobalTags @aspect(name: "globalTags")
}

"""An entity of the type mlModelGroup."""
type MLModelGroup implements Entity @entity(type: "mlModelGroup") {
  urn: String!
  type: EntityType!
  deprecation: Deprecation @aspect(name: "deprecation")
  description: String @aspect(name: "mlModelGroupProperties", path: "description")
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  name: String! @key(part: 1)
  origin: FabricType! @key(part: 2)
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: MLModelGroupProperties @aspect(name: "mlModelGroupProperties")
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
  tags: GlobalTags @aspect(name: "globalTags")
}

type MLModelGroupProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String
}

type MLModelProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String
}

"""An entity of the type mlPrimaryKey."""
type MLPrimaryKey implements Entity @entity(type: "mlPrimaryKey") {
  urn: String!
  type: EntityType!
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  name: String! @key(part: 1)
  ownership: Ownership @aspect(name: "ownership")
  properties: MLPrimaryKeyProperties @aspect(name: "mlPrimaryKeyProperties")
  relatedDocuments(input: RelatedDocumentsInput!): RelatedDocumentsResult
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  tags: GlobalTags @aspect(name: "globalTags")
}

type MLPrimaryKeyProperties {
  description: String
}

type MetadataAttribution {
  sourceDetail: [StringMapEntry!]
}

type NumberValue {
  numberValue: Float!
}

type Operation {
  actor: String
  customProperties: [StringMapEntry!]
  lastUpdatedTimestamp: Long!
  numAffectedRows: Long
  operationType: OperationType!
  partition: String @member(path: "partitionSpec.partition")
  sourceType: OperationSourceType
  timestampMillis: Long!
}

type Owner {
  owner: OwnerType!
  ownershipType: OwnershipTypeEntity @member(path: "typeUrn")
  type: OwnershipType
}

type Ownership {
  owners: [Owner!]
}

"""An entity of the type ownershipType."""
type OwnershipTypeEntity implements Entity @entity(type: "ownershipType") {
  urn: String!
  type: EntityType!
  info: OwnershipTypeInfo @aspect(name: "ownershipTypeInfo")
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  status: Status @aspect(name: "status")
}

type OwnershipTypeInfo {
  description: String
  name: String! @key(part: 0)
}

type ParentDomainsResult {
  count: Int!
  domains: [Entity!]!
}

type ParentNodesResult {
  count: Int!
  nodes: [GlossaryNode!]!
}

type PartitionSpec {
  partition: String
  timePartition: TimeWindow
  type: PartitionType! @default(json: "\\"PARTITION\\"")
}

"""An entity of the type query."""
type QueryEntity implements Entity @entity(type: "query") {
  urn: String!
  type: EntityType!
  platform: DataPlatform @platform
  properties: QueryProperties @aspect(name: "queryProperties")
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  subjects: [QuerySubject!] @aspect(name: "querySubjects", path: "subjects")
}

type QueryProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String
  lastModified: AuditStamp!
  name: String
  origin: Entity
  source: QuerySource!
  statement: QueryStatement!
}

type QueryStatement {
  language: QueryLanguage! @default(json: "\\"SQL\\"")
  value: String!
}

type QuerySubject {
  dataset: Dataset!
  schemaField: SchemaFieldEntity
}

type RelatedDocumentsResult {
  count: Int!
  documents: [Document!]!
  start: Int!
  total: Int!
}

type ResolvedAuditStamp {
  actor: CorpUser
  time: Long!
}

type RowCountChange {
  operator: AssertionStdOperator!
  parameters: AssertionStdParameters!
  type: AssertionValueChangeType!
}

type RowCountTotal {
  operator: AssertionStdOperator!
  parameters: AssertionStdParameters!
}

type SchemaField {
  description: String
  fieldPath: String!
  glossaryTerms: GlossaryTerms
  isPartOfKey: Boolean
  isPartitioningKey: Boolean
  jsonPath: String
  label: String
  nativeDataType: String
  nullable: Boolean! @default(json: "false")
  recursive: Boolean! @default(json: "false")
  schemaFieldEntity: SchemaFieldEntity
  tags: GlobalTags @member(path: "globalTags")
  type: SchemaFieldDataType!
}

"""An entity of the type schemaField."""
type SchemaFieldEntity implements Entity @entity(type: "schemaField") {
  urn: String!
  type: EntityType!
  businessAttributes: BusinessAttributes @aspect(name: "businessAttributes")
  deprecation: Deprecation @aspect(name: "deprecation")
  documentation: Documentation @aspect(name: "documentation")
  fieldPath: String! @key(part: 1)
  parent: Entity! @key(part: 0)
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  structuredProperties: StructuredProperties @aspect(name: "structuredProperties")
}

type SchemaFieldRef {
  path: String!
  urn: String!
}

type SchemaFieldSpec {
  nativeType: String!
  path: String!
  type: String!
}

type SchemaMetadata {
  cluster: String
  createdAt: Long @member(path: "created.time")
  datasetUrn: String
  fields: [SchemaField!]!
  foreignKeys: [ForeignKeyConstraint]
  name: String! @member(path: "schemaName")
  platformSchema: PlatformSchema
  platformUrn: String! @member(path: "platform")
  primaryKeys: [String!]
}

type ScrollAcrossLineageResults {
  count: Int!
  nextScrollId: String
  searchResults: [SearchAcrossLineageResult!]!
  total: Int!
}

type ScrollResults {
  count: Int!
  facets: [FacetMetadata!]
  nextScrollId: String
  searchResults: [SearchResult!]!
  total: Int!
}

type SearchAcrossLineageResult {
  degree: Int!
  entity: Entity!
  paths: [EntityPath]
}

type SearchAcrossLineageResults {
  count: Int!
  facets: [FacetMetadata!]
  searchResults: [SearchAcrossLineageResult!]!
  start: Int!
  total: Int!
}

type SearchResult {
  entity: Entity!
  extraProperties: [ExtraProperty!]
  score: Float
}

type SearchResults {
  count: Int!
  facets: [FacetMetadata!]
  searchResults: [SearchResult!]!
  start: Int!
  total: Int!
}

type SqlAssertionInfo {
  entityUrn: String! @member(path: "entity")
  operator: AssertionStdOperator!
  parameters: AssertionStdParameters!
  statement: String!
  type: SqlAssertionType!
}

type Status {
  removed: Boolean! @default(json: "false")
}

type StringMapEntry {
  key: String!
  value: String
}

type StringValue {
  stringValue: String!
}

type StructuredProperties {
  properties: [StructuredPropertiesEntry!]
}

type StructuredPropertiesEntry {
  structuredProperty: StructuredPropertyEntity! @member(path: "propertyUrn")
  valueEntities: [Entity]
  values: [PropertyValue]!
}

type StructuredPropertyDefinition {
  allowedValues: [AllowedValue!]
  cardinality: PropertyCardinality
  created: ResolvedAuditStamp
  description: String
  displayName: String
  entityTypes: [EntityTypeEntity!]!
  immutable: Boolean! @default(json: "false")
  lastModified: ResolvedAuditStamp
  qualifiedName: String!
  typeQualifier: TypeQualifier
  valueType: DataTypeEntity!
}

"""An entity of the type structuredProperty."""
type StructuredPropertyEntity implements Entity @entity(type: "structuredProperty") {
  urn: String!
  type: EntityType!
  definition: StructuredPropertyDefinition! @aspect(name: "propertyDefinition")
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
  settings: StructuredPropertySettings @aspect(name: "structuredPropertySettings")
}

type StructuredPropertySettings {
  isHidden: Boolean! @default(json: "false")
  showAsAssetBadge: Boolean! @default(json: "false")
  showInAssetSummary: Boolean! @default(json: "false")
  showInColumnsTable: Boolean! @default(json: "false")
  showInSearchFilters: Boolean! @default(json: "false")
}

type SubTypes {
  typeNames: [String!]
}

type TableSchema {
  schema: String!
}

"""An entity of the type tag."""
type Tag implements Entity @entity(type: "tag") {
  urn: String!
  type: EntityType!
  name: String! @key(part: 0)
  ownership: Ownership @aspect(name: "ownership")
  properties: TagProperties @aspect(name: "tagProperties")
  relationships(input: RelationshipsInput!): EntityRelationshipsResult
}

type TagAssociation {
  tag: Tag!
}

type TagProperties {
  colorHex: String
  description: String
  name: String! @key(part: 0)
}

type TelemetryConfig {
  enableThirdPartyLogging: Boolean
}

type TimeWindow {
  durationMillis: Long
  startTimeMillis: Long!
}

type TypeQualifier {
  allowedTypes: [EntityTypeEntity!]
}

type ViewProperties {
  language: String! @member(path: "viewLanguage")
  logic: String! @member(path: "viewLogic")
  materialized: Boolean!
}

type VolumeAssertionInfo {
  entityUrn: String! @member(path: "entity")
  rowCountChange: RowCountChange
  rowCountTotal: RowCountTotal
  type: VolumeAssertionType!
}

input DomainEntitiesInput {
  query: String
  start: Int
  count: Int
  filters: [FacetFilterInput!]
}

"""One criterion. A field that none of the searched types has matches nothing."""
input FacetFilterInput {
  field: String!
  values: [String!]
  negated: Boolean
  condition: FilterOperator
}

input FilterInput {
  and: [FacetFilterInput!]!
}

input ListOwnershipTypesInput {
  start: Int
  count: Int
  query: String
  filters: [FacetFilterInput!]
}

input ListQueriesInput {
  start: Int
  count: Int
  query: String
  source: QuerySource
  datasetUrn: String
  sortInput: SortQueriesInput
  orFilters: [AndFilterInput!]
}

input RelatedDocumentsInput {
  start: Int
  count: Int
  parentDocuments: [String!]
  rootOnly: Boolean
  types: [String!]
  domains: [String!]
  sourceType: DocumentSourceType
}

input RelationshipsInput {
  types: [String!]!
  direction: RelationshipDirection!
  start: Int
  count: Int
  includeSoftDelete: Boolean
  relatedEntityTypes: [String!]
}

input ScrollAcrossEntitiesInput {
  types: [EntityType!]
  query: String!
  scrollId: String
  keepAlive: String
  count: Int
  orFilters: [AndFilterInput!]
  viewUrn: String
  searchFlags: SearchFlags
  sortInput: SearchSortInput
}

input ScrollAcrossLineageInput {
  urn: String
  direction: LineageDirection!
  types: [EntityType!]
  query: String
  scrollId: String
  keepAlive: String
  count: Int
  orFilters: [AndFilterInput!]
  startTimeMillis: Long
  endTimeMillis: Long
  searchFlags: SearchFlags
  lineageFlags: LineageFlags
}

input SearchAcrossEntitiesInput {
  types: [EntityType!]
  query: String!
  start: Int
  count: Int
  filters: [FacetFilterInput!]
  orFilters: [AndFilterInput!]
  viewUrn: String
  searchFlags: SearchFlags
  sortInput: SearchSortInput
}

input SearchAcrossLineageInput {
  urn: String
  direction: LineageDirection!
  types: [EntityType!]
  query: String
  start: Int
  count: Int
  filters: [FacetFilterInput!]
  orFilters: [AndFilterInput!]
  startTimeMillis: Long
  endTimeMillis: Long
  searchFlags: SearchFlags
  lineageFlags: LineageFlags
  viewUrn: String
  sortInput: SearchSortInput
}

"""Options of a search. Flags without an effect here are accepted."""
input SearchFlags {
  skipCache: Boolean
  maxAggValues: Int
  fulltext: Boolean
  skipHighlighting: Boolean
  skipAggregates: Boolean
  getSuggestions: Boolean
  groupingSpec: GroupingSpec
  includeSoftDeleted: Boolean
  includeRestricted: Boolean
  customHighlightingFields: [String!]
  includeStructuredPropertyFacets: Boolean
  filterNonLatestVersions: Boolean
  includeHiddenLifecycleStages: Boolean
}

input SearchSortInput {
  sortCriterion: SortCriterion
  sortCriteria: [SortCriterion!]
}

input SortCriterion {
  field: String!
  sortOrder: SortOrder!
}

input SortQueriesInput {
  sortCriterion: SortCriterion!
}

"""Criteria that must all hold."""
input AndFilterInput {
  and: [FacetFilterInput!]
}

"""For lineage: schema fields grouped as schema fields are the answer themselves."""
input GroupingSpec {
  groupingCriteria: [GroupingCriterion!]
}

input LineageFlags {
  entitiesExploredPerHopLimit: Int
  startTimeMillis: Long
  endTimeMillis: Long
  ignoreAsHops: [EntityTypeToPlatforms!]
}

input EntityTypeToPlatforms {
  entityType: EntityType!
  platforms: [String!]
}

input GroupingCriterion {
  baseEntityType: EntityType
  groupingEntityType: EntityType!
}

enum AccessLevel {
  PUBLIC
  PRIVATE
}

enum AssertionResultErrorType {
  SOURCE_CONNECTION_ERROR
  SOURCE_QUERY_FAILED
  INVALID_PARAMETERS
  INSUFFICIENT_DATA
  INVALID_SOURCE_TYPE
  UNSUPPORTED_PLATFORM
  CUSTOM_SQL_ERROR
  FIELD_ASSERTION_ERROR
  UNKNOWN_ERROR
}

enum AssertionResultSeverity {
  LOW
  MEDIUM
  HIGH
}

enum AssertionResultType {
  INIT
  SUCCESS
  FAILURE
  ERROR
}

enum AssertionRunStatus {
  COMPLETE
}

enum AssertionSourceType {
  NATIVE
  EXTERNAL
  INFERRED
}

enum AssertionStdAggregation {
  IDENTITY
  MEAN
  MEDIAN
  UNIQUE_COUNT
  UNIQUE_PROPOTION
  NULL_COUNT
  NULL_PROPORTION
  STDDEV
  MIN
  MAX
  SUM
  COLUMNS
  COLUMN_COUNT
  ROW_COUNT
  _NATIVE_
  UNIQUE_PROPORTION
}

enum AssertionStdOperator {
  BETWEEN
  LESS_THAN
  LESS_THAN_OR_EQUAL_TO
  GREATER_THAN
  GREATER_THAN_OR_EQUAL_TO
  EQUAL_TO
  NOT_EQUAL_TO
  NULL
  NOT_NULL
  CONTAIN
  END_WITH
  START_WITH
  REGEX_MATCH
  IN
  NOT_IN
  IS_TRUE
  IS_FALSE
  _NATIVE_
}

enum AssertionStdParameterType {
  STRING
  NUMBER
  LIST
  SET
  UNKNOWN
}

enum AssertionType {
  DATASET
  FRESHNESS
  VOLUME
  SQL
  FIELD
  DATA_SCHEMA
  CUSTOM
}

enum AssertionValueChangeType {
  ABSOLUTE
  PERCENTAGE
}

enum ChartType {
  BAR
  PIE
  SCATTER
  TABLE
  TEXT
  LINE
  AREA
  HISTOGRAM
  BOX_PLOT
  WORD_CLOUD
  COHORT
}

enum DatasetAssertionScope {
  DATASET_COLUMN
  DATASET_ROWS
  DATASET_SCHEMA
  UNKNOWN
  DATASET_STORAGE_SIZE
}

enum DocumentSourceType {
  NATIVE
  EXTERNAL
}

enum FabricType {
  DEV
  TEST
  QA
  UAT
  EI
  PRE
  STG
  NON_PROD
  PROD
  CORP
  RVW
  SANDBOX
  PRD
  TST
  SIT
  SBX
  CERT
}

enum FieldAssertionType {
  FIELD_VALUES
  FIELD_METRIC
}

enum FieldMetricType {
  UNIQUE_COUNT
  UNIQUE_PERCENTAGE
  NULL_COUNT
  NULL_PERCENTAGE
  MIN
  MAX
  MEAN
  MEDIAN
  STDDEV
  NEGATIVE_COUNT
  NEGATIVE_PERCENTAGE
  ZERO_COUNT
  ZERO_PERCENTAGE
  MIN_LENGTH
  MAX_LENGTH
  EMPTY_COUNT
  EMPTY_PERCENTAGE
}

enum FieldValuesFailThresholdType {
  COUNT
  PERCENTAGE
}

enum FilterOperator {
  CONTAIN
  EQUAL
  IEQUAL
  IN
  EXISTS
  GREATER_THAN
  GREATER_THAN_OR_EQUAL_TO
  LESS_THAN
  LESS_THAN_OR_EQUAL_TO
  START_WITH
  END_WITH
}

enum HealthStatus {
  PASS
  WARN
  FAIL
}

enum HealthStatusType {
  ASSERTIONS
  INCIDENTS
  TESTS
}

enum IconLibrary {
  MATERIAL
  PHOSPHOR
}

enum IncidentPriority {
  LOW
  MEDIUM
  HIGH
  CRITICAL
}

enum IncidentSourceType {
  MANUAL
  ASSERTION_FAILURE
}

enum IncidentStage {
  TRIAGE
  INVESTIGATION
  WORK_IN_PROGRESS
  FIXED
  NO_ACTION_REQUIRED
}

enum IncidentState {
  ACTIVE
  RESOLVED
}

enum IncidentType {
  FRESHNESS
  VOLUME
  FIELD
  SQL
  DATA_SCHEMA
  OPERATIONAL
  CUSTOM
}

enum LineageDirection {
  UPSTREAM
  DOWNSTREAM
}

enum OperationSourceType {
  DATA_PROCESS
  DATA_PLATFORM
}

enum OperationType {
  INSERT
  UPDATE
  DELETE
  CREATE
  ALTER
  DROP
  UNKNOWN
  CUSTOM
}

enum OwnershipType {
  TECHNICAL_OWNER
  BUSINESS_OWNER
  DATA_STEWARD
  NONE
  CUSTOM
  DATAOWNER
  DEVELOPER
  DELEGATE
  PRODUCER
  STAKEHOLDER
  CONSUMER
}

enum PartitionType {
  FULL_TABLE
  QUERY
  PARTITION
}

enum PropertyCardinality {
  SINGLE
  MULTIPLE
}

enum QueryLanguage {
  SQL
  UNKNOWN
}

enum QuerySource {
  MANUAL
  SYSTEM
}

enum RelationshipDirection {
  INCOMING
  OUTGOING
}

enum SchemaFieldDataType {
  BOOLEAN
  FIXED
  STRING
  BYTES
  NUMBER
  DATE
  TIME
  ENUM
  NULL
  MAP
  ARRAY
  UNION
  STRUCT
}

enum SortOrder {
  ASCENDING
  DESCENDING
}

enum SqlAssertionType {
  METRIC
  METRIC_CHANGE
}

enum VolumeAssertionType {
  ROW_COUNT_TOTAL
  ROW_COUNT_CHANGE
  INCREMENTING_SEGMENT_ROW_COUNT_TOTAL
  INCREMENTING_SEGMENT_ROW_COUNT_CHANGE
}
`;
