export { DeprecationEditor } from './deprecation-editor';
export { EntitiesEditor } from './entities-editor';
export { LinksEditor } from './links-editor';
export { OwnersEditor } from './owners-editor';
export { PropertiesEditor } from './properties-editor';
export { TextEditor } from './text-editor';
