// The methods of descent that pages offer, by their names in links.

export const OPTIMISERS = /** @type {const} */ (["descent", "momentum", "adam"]);
