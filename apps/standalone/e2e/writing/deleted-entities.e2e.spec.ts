import { deletedEntitiesSuite } from './deleted-entities-suite';

deletedEntitiesSuite({});
