/** Why a document cannot be read, as a sentence for whoever has it. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem';
}
