/** Removes all folders of bundled packages but the newest two. */
export declare function removeOldVendors(dist: string): void;
