import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A user's own model: a new entity type with a key, an aspect with search and relationship annotations, a
 * timeseries aspect, and one more aspect for datasets.
 */
export const SENSOR_MODEL = {
  'entity-registry.yml': `
entities:
  - name: sensor
    doc: A device that measures something.
    keyAspect: sensorKey
    aspects: [sensorInfo, sensorReading, status]
  - name: dataset
    aspects: [sensorSource]
`,
  'SensorKey.pdl': `namespace org.example
    @Aspect = {"name": "sensorKey"}
    record SensorKey {
      @Searchable = {"fieldType": "WORD_GRAM", "boostScore": 10, "enableAutocomplete": true}
      serial: string
    }`,
  'SensorInfo.pdl': `namespace org.example
    import com.linkedin.common.DatasetUrn
    @Aspect = {"name": "sensorInfo"}
    record SensorInfo {
      @Searchable = {} place: string
      @Searchable = {"fieldType": "URN"} @Relationship = {"name": "Feeds", "entityTypes": ["dataset"]}
      feeds: optional DatasetUrn
    }`,
  'SensorReading.pdl': `namespace org.example
    import com.linkedin.timeseries.TimeseriesAspectBase
    @Aspect = {"name": "sensorReading", "type": "timeseries"}
    record SensorReading includes TimeseriesAspectBase { @TimeseriesField = {} degrees: optional double }`,
  'SensorSource.pdl': `namespace org.example
    import com.linkedin.common.Urn
    @Aspect = {"name": "sensorSource"}
    record SensorSource { @Relationship = {"name": "MeasuredBy"} sensor: Urn }`,
};

/** Writes model files into a new folder and returns its path. */
export function modelFolder(parent: string, name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}
