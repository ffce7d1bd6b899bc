/** `qualifiedName` in words: "Qualified name". Abbreviations stay. */
export function toWords(name: string): string {
  const words = name
    .replace(/[_.]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(' ').replace(/\burns?\b/g, (word) => word);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `TECHNICAL_OWNER` in words: "technical owner". */
export function enumInWords(value: string): string {
  return value.toLowerCase().replaceAll('_', ' ');
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  corpuser: 'Person',
  corpGroup: 'Group',
  dataFlow: 'Pipeline',
  dataJob: 'Job',
  dataPlatform: 'Platform',
  glossaryNode: 'Term group',
  mlModel: 'Model',
  mlModelGroup: 'Model group',
  mlFeature: 'Feature',
  mlFeatureTable: 'Feature table',
  mlPrimaryKey: 'Feature key',
  schemaField: 'Column',
};

/** What people call an entity type. */
export function typeInWords(type: string): string {
  return TYPE_WORDS[type] ?? toWords(type);
}
