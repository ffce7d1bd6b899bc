/** The programs of the image, by the names that its first argument takes. */
export declare const ROLES: readonly string[];

export type Asked =
  | { readonly role: string; readonly args: readonly string[]; readonly fault?: undefined }
  | { readonly role?: undefined; readonly args?: undefined; readonly fault: string };

/** Which program `args` ask for, and with which arguments; options alone are those of the standalone catalog. */
export declare function programFor(args: readonly string[]): Asked;
