// Remembers which program the text in the editor belongs to. After an edit, the text belongs to the same program as before. A
// text from a link, an example or a stored draft belongs to another program. Undo can return to the text of another program.

export class ProgramOrigin {
  constructor() {
    /** The number of the program in the editor. An edit does not change this number. */
    this.current = 0;
    /** @private */
    this.count = 0;
    /** @private */
    this.text = "";
    /** The number of the program for each stored text. We store the editor's text when a program is opened or replaced.
     * @private @type {Map<string, number>} */
    this.known = new Map();
  }

  /** Notes that another program is in the editor now. @param {string} text */
  opened(text) {
    this.known.set(this.text, this.current);
    this.count += 1;
    this.current = this.known.get(text) ?? this.count;
    this.known.set(text, this.current);
    this.text = text;
  }

  /** Notes an edit, an undo or a redo. @param {string} text */
  edited(text) {
    const origin = this.known.get(text) ?? this.current;
    if (origin !== this.current) this.known.set(this.text, this.current); // a redo leads back to this text
    this.current = origin;
    this.text = text;
  }
}
