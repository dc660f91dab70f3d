// Loads the grammar's table for the parts of a page that help while a formula is typed.

import { Grammar } from "../model/formula/grammar.js";
import { BUILD, loadManifest } from "./manifest.js";

/** @returns {Promise<Grammar>} */
export async function loadGrammar() {
  const manifest = await loadManifest();
  const [{ tables }, latex] = await Promise.all([manifest.tier, manifest.tierLatex].map((name) => import(new URL(name, BUILD).href)));
  return new Grammar(tables.grammar, latex);
}
