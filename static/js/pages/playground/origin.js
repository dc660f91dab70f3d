// Which program the text in the editor goes back to. An edit goes back to what it was made of. A program from a link or from
// the list of examples goes back to itself, and so does another draft. Undoing can lead from one to another.

export class ProgramOrigin {
  constructor() {
    /** The number of the program that is in the editor, edited or not. */
    this.current = 0;
    /** @private */
    this.count = 0;
    /** @private */
    this.text = "";
    /** Texts that were left for another program or came in place of one, each with its program's number.
     * @private @type {Map<string, number>} */
    this.known = new Map();
  }

  /** Another program is in the editor now. @param {string} text */
  opened(text) {
    this.known.set(this.text, this.current);
    this.count += 1;
    this.current = this.known.get(text) ?? this.count;
    this.known.set(text, this.current);
    this.text = text;
  }

  /** The program in the editor was edited, or an edit of it was undone or redone. @param {string} text */
  edited(text) {
    const origin = this.known.get(text) ?? this.current;
    if (origin !== this.current) this.known.set(this.text, this.current); // a redo leads back
    this.current = origin;
    this.text = text;
  }
}
