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
}

"""An entity of a type that this schema has no type for, such as one of your own model."""
type GenericEntity implements Entity {
  urn: String!
  type: EntityType!
  aspects: [RawAspect!]!
}

"""An aspect as it is stored."""
type RawAspect {
  aspectName: String!
  """JSON text."""
  payload: String!
}

union OwnerType = CorpUser | CorpGroup

type AggregationMetadata {
  count: Long!
  displayName: String
  entity: Entity
  value: String!
}

"""An entity of the type chart."""
type Chart implements Entity @entity(type: "chart") {
  urn: String!
  type: EntityType!
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: ChartProperties @aspect(name: "chartInfo")
  tags: GlobalTags @aspect(name: "globalTags")
}

type ChartProperties {
  description: String
  name: String! @member(path: "title") @key(part: 1)
}

"""An entity of the type container."""
type Container implements Entity @entity(type: "container") {
  urn: String!
  type: EntityType!
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: ContainerProperties @aspect(name: "containerProperties")
  tags: GlobalTags @aspect(name: "globalTags")
}

type ContainerProperties {
  description: String
  name: String! @key(part: 0)
}

"""An entity of the type corpGroup."""
type CorpGroup implements Entity @entity(type: "corpGroup") {
  urn: String!
  type: EntityType!
  name: String! @key(part: 0)
  properties: CorpGroupProperties @aspect(name: "corpGroupInfo")
}

type CorpGroupProperties {
  displayName: String
  email: String
}

"""An entity of the type corpuser."""
type CorpUser implements Entity @entity(type: "corpuser") {
  urn: String!
  type: EntityType!
  properties: CorpUserProperties @aspect(name: "corpUserInfo")
  username: String! @key(part: 0)
}

type CorpUserProperties {
  displayName: String
  email: String
}

type CustomPropertiesEntry {
  key: String!
  value: String
}

"""An entity of the type dashboard."""
type Dashboard implements Entity @entity(type: "dashboard") {
  urn: String!
  type: EntityType!
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: DashboardProperties @aspect(name: "dashboardInfo")
  tags: GlobalTags @aspect(name: "globalTags")
}

type DashboardProperties {
  description: String
  name: String! @member(path: "title") @key(part: 1)
}

"""An entity of the type dataFlow."""
type DataFlow implements Entity @entity(type: "dataFlow") {
  urn: String!
  type: EntityType!
  cluster: String! @key(part: 2)
  domain: DomainAssociation
  flowId: String! @key(part: 1)
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  orchestrator: String! @key(part: 0)
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: DataFlowProperties @aspect(name: "dataFlowInfo")
  tags: GlobalTags @aspect(name: "globalTags")
}

type DataFlowProperties {
  description: String
  name: String! @key(part: 1)
}

"""An entity of the type dataJob."""
type DataJob implements Entity @entity(type: "dataJob") {
  urn: String!
  type: EntityType!
  dataFlow: DataFlow @key(part: 0)
  dataPlatformInstance: DataPlatformInstance @aspect(name: "dataPlatformInstance", path: "instance")
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  jobId: String! @key(part: 1)
  ownership: Ownership @aspect(name: "ownership")
  properties: DataJobProperties @aspect(name: "dataJobInfo")
  subTypes: SubTypes @aspect(name: "subTypes")
  tags: GlobalTags @aspect(name: "globalTags")
}

type DataJobProperties {
  description: String
  name: String! @key(part: 1)
}

"""An entity of the type dataPlatform."""
type DataPlatform implements Entity @entity(type: "dataPlatform") {
  urn: String!
  type: EntityType!
  name: String! @key(part: 0)
  properties: DataPlatformProperties @aspect(name: "dataPlatformInfo")
}

"""An entity of the type dataPlatformInstance."""
type DataPlatformInstance implements Entity @entity(type: "dataPlatformInstance") {
  urn: String!
  type: EntityType!
  platform: DataPlatform! @key(part: 0)
}

type DataPlatformProperties {
  displayName: String
  logoUrl: String
}

"""An entity of the type dataset."""
type Dataset implements Entity @entity(type: "dataset") {
  urn: String!
  type: EntityType!
  container: Container @aspect(name: "container", path: "container")
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  name: String! @aspect(name: "datasetProperties", path: "name") @key(part: 1)
  origin: FabricType! @key(part: 2)
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: DatasetProperties @aspect(name: "datasetProperties")
  schemaMetadata(version: Long): SchemaMetadata
  tags: GlobalTags @aspect(name: "globalTags")
}

type DatasetProperties {
  customProperties: [CustomPropertiesEntry!]
  description: String
  name: String! @key(part: 1)
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
  subType: String @aspect(name: "subTypes", path: "typeNames.0")
  tags: GlobalTags @aspect(name: "globalTags")
}

type DocumentInfo {
  title: String
}

"""An entity of the type domain."""
type Domain implements Entity @entity(type: "domain") {
  urn: String!
  type: EntityType!
  properties: DomainProperties @aspect(name: "domainProperties")
}

type DomainAssociation {
  domain: Domain!
}

type DomainProperties {
  description: String
  name: String! @key(part: 0)
}

type EntityPath {
  path: [Entity]!
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

type GlobalTags {
  tags: [TagAssociation!]
}

"""An entity of the type glossaryTerm."""
type GlossaryTerm implements Entity @entity(type: "glossaryTerm") {
  urn: String!
  type: EntityType!
  name: String! @key(part: 0, after: ".")
  properties: GlossaryTermProperties @aspect(name: "glossaryTermInfo")
}

type GlossaryTermAssociation {
  term: GlossaryTerm! @member(path: "urn")
}

type GlossaryTermProperties {
  description: String @member(path: "definition")
  name: String! @key(part: 0, after: ".")
}

type GlossaryTerms {
  terms: [GlossaryTermAssociation!]
}

"""An entity of the type mlFeature."""
type MLFeature implements Entity @entity(type: "mlFeature") {
  urn: String!
  type: EntityType!
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  name: String! @key(part: 1)
  ownership: Ownership @aspect(name: "ownership")
  properties: MLFeatureProperties @aspect(name: "mlFeatureProperties")
  tags: GlobalTags @aspect(name: "globalTags")
}

type MLFeatureProperties {
  description: String
}

"""An entity of the type mlFeatureTable."""
type MLFeatureTable implements Entity @entity(type: "mlFeatureTable") {
  urn: String!
  type: EntityType!
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  name: String! @key(part: 1)
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: MLFeatureTableProperties @aspect(name: "mlFeatureTableProperties")
  tags: GlobalTags @aspect(name: "globalTags")
}

type MLFeatureTableProperties {
  description: String
}

"""An entity of the type mlModel."""
type MLModel implements Entity @entity(type: "mlModel") {
  urn: String!
  type: EntityType!
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  name: String! @key(part: 1)
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: MLModelProperties @aspect(name: "mlModelProperties")
  tags: GlobalTags @aspect(name: "globalTags")
}

"""An entity of the type mlModelGroup."""
type MLModelGroup implements Entity @entity(type: "mlModelGroup") {
  urn: String!
  type: EntityType!
  domain: DomainAssociation
  glossaryTerms: GlossaryTerms @aspect(name: "glossaryTerms")
  name: String! @key(part: 1)
  ownership: Ownership @aspect(name: "ownership")
  platform: DataPlatform! @platform
  properties: MLModelGroupProperties @aspect(name: "mlModelGroupProperties")
  tags: GlobalTags @aspect(name: "globalTags")
}

type MLModelGroupProperties {
  description: String
}

type MLModelProperties {
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
  tags: GlobalTags @aspect(name: "globalTags")
}

type MLPrimaryKeyProperties {
  description: String
}

type Owner {
  owner: OwnerType!
}

type Ownership {
  owners: [Owner!]
}

type SchemaField {
  fieldPath: String!
  nativeDataType: String
}

type SchemaMetadata {
  fields: [SchemaField!]!
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
}

type SearchResults {
  count: Int!
  facets: [FacetMetadata!]
  searchResults: [SearchResult!]!
  start: Int!
  total: Int!
}

type SubTypes {
  typeNames: [String!]
}

"""An entity of the type tag."""
type Tag implements Entity @entity(type: "tag") {
  urn: String!
  type: EntityType!
  name: String! @key(part: 0)
  properties: TagProperties @aspect(name: "tagProperties")
}

type TagAssociation {
  tag: Tag!
}

type TagProperties {
  colorHex: String
  description: String
  name: String! @key(part: 0)
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

"""Criteria that must all hold."""
input AndFilterInput {
  and: [FacetFilterInput!]
}

"""One criterion. A field that none of the searched types has matches nothing."""
input FacetFilterInput {
  field: String!
  values: [String!]
  negated: Boolean
  condition: FilterOperator
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

enum LineageDirection {
  UPSTREAM
  DOWNSTREAM
}

enum SortOrder {
  ASCENDING
  DESCENDING
}
`;
