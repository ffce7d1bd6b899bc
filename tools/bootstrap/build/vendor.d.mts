/** Removes all folders of bundled packages but the newest two. */
export declare function removeOldVendors(dist: string): void;

/** The folder of the bundled packages of this installation. */
export declare function vendorFolder(): string;
