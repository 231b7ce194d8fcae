// One-line changes of the sources that a test should notice.
import ts from "typescript";

export interface Mutation {
  line: number;
  before: string;
  after: string;
  /** The whole source with the change. */
  source: string;
}

const SWAPPED: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "??": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
};

type Edit = [node: ts.Node, text: string];

export function mutationsOf(path: string, source: string): Mutation[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    // Types have no behaviour.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    const text = textInsteadOf(node);
    if (text !== undefined) edits.push([node, text]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return edits
    .filter(([node]) => !node.getText().includes("\n"))
    .map(([node, text]) => mutationBy(source, file, [node, text]));
}

function textInsteadOf(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return "false";
  if (node.kind === ts.SyntaxKind.FalseKeyword) return "true";
  if (ts.isNumericLiteral(node)) return `${Number(node.text.replaceAll("_", "")) + 1}`;
  if (ts.isBinaryExpression(node)) {
    const operator = SWAPPED[node.operatorToken.getText()];
    if (operator) return `${node.left.getText()} ${operator} ${node.right.getText()}`;
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return node.operand.getText();
  // A call for its effect is left out.
  if (ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression)) return ";";
  return undefined;
}

function mutationBy(source: string, file: ts.SourceFile, [node, text]: Edit): Mutation {
  const [from, to] = [node.getStart(), node.getEnd()];
  return {
    line: file.getLineAndCharacterOfPosition(from).line + 1,
    before: node.getText(),
    after: text,
    source: `${source.slice(0, from)}${text}${source.slice(to)}`,
  };
}
