/** Wakes every figure below `root` that still sleeps, when it comes near. Importing the package does so for the document. Call it
 * for figures that you add later. */
export function wakeFigures(root?: ParentNode): void;
