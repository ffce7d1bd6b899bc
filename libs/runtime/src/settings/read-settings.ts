import { readFileSync } from 'node:fs';
import { InvalidSettingError, didYouMean } from '@stratalog/domain';
import { fileSetting, givenSetting, isSetting, type Setting, type ValuesOf } from './setting-kinds';

const PASSWORD_IN_URL = /\/\/[^/]*@/;

/**
 * Reads the values of settings from the environment.
 *
 * **Errors**: `InvalidSettingError` naming the setting, its value and the permitted values.
 */
export function readSettings<G extends object>(
  settings: G,
  environment: Readonly<Record<string, string | undefined>>,
  isDistributed: boolean,
): ValuesOf<G> {
  const values = Object.entries(settings).map(([key, each]: [string, object]) => [
    key,
    isSetting(each)
      ? readSetting(each, givenText(each, environment), isDistributed)
      : readSettings(each, environment, isDistributed),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as ValuesOf<G>;
}

function readSetting(setting: Setting, given: string | undefined, isDistributed: boolean): unknown {
  const { distributedFallback, fallback, schema, words = [], allowed } = setting;
  const text = given ?? (isDistributed ? distributedFallback : undefined) ?? fallback;
  if (text === undefined) return undefined;
  const { success, data } = schema.safeParse(text);
  if (success) return data;
  const isSecret = setting.secret === true || PASSWORD_IN_URL.test(text);
  throw rejectedSetting(
    setting.name,
    isSecret ? '(not shown)' : `"${text}"`,
    allowed + didYouMean(text, words),
  );
}

/** Returns the text of a setting: its variable, or for a secret the file that `<name>_FILE` names. */
function givenText(
  setting: Setting,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const text = givenSetting(environment, setting.name);
  const file = setting.secret === true ? givenSetting(environment, fileSetting(setting)) : undefined;
  if (file === undefined) return text;
  if (text === undefined) return readSecret(fileSetting(setting), file);
  throw rejectedSetting(fileSetting(setting), `"${file}"`, `no value, because ${setting.name} has one`);
}

/** Reads the text of a file, without the line break at its end. */
function readSecret(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw rejectedSetting(name, `"${file}" (${code})`, 'the path of a file that can be read');
  }
}

export function rejectedSetting(name: string, shown: string, allowed: string): InvalidSettingError {
  return new InvalidSettingError(`${name} is ${shown}; allowed: ${allowed}`);
}
