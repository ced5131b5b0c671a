// The programs that the tests open, and what they must become.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The first story of the walkthrough, with a first line that a picture has room for. */
export const CARRIED = readFileSync(join(__dirname, "..", "..", "walkthrough", "carried.py"), "utf8").replace(
  /^"""[^"]*"""/,
  '"""An RNN that is trained on a stream, step by step."""',
);
/** The same with characters before the fault that count as one, two and three in UTF-8 and UTF-16. */
export const UNICODE = CARRIED.replace("    output, hidden = rnn", '    note = "😀é漢"; output, hidden = rnn');
/** The characters that are at fault. */
export const FAULT = "rnn(inputs, hidden)";
export const CARRIED_FIXED = `${CARRIED}    hidden = hidden.detach()\n`;

export const TWICE = `import torch

encoder = torch.nn.Linear(8, 4)
classifier = torch.nn.Linear(4, 3)
regressor = torch.nn.Linear(4, 1)
modules = torch.nn.ModuleList([encoder, classifier, regressor])
optimizer = torch.optim.SGD(modules.parameters(), lr=0.1)

for step in range(3):
    features = torch.tanh(encoder(torch.randn(16, 8)))
    class_loss = classifier(features).pow(2).mean()
    value_loss = regressor(features).pow(2).mean()
    optimizer.zero_grad()
    class_loss.backward()
    value_loss.backward()
    optimizer.step()
`;
export const TWICE_FIXED = TWICE.replace(
  "    class_loss.backward()\n    value_loss.backward()\n",
  "    (class_loss + value_loss).backward()\n",
);

/** Its preferred fix rewrites a block, which wants libcst. */
export const HEADS = `import torch

encoder = torch.nn.Linear(8, 4)
heads = [torch.nn.Linear(4, 1) for _ in range(2)]
features = torch.tanh(encoder(torch.randn(16, 8)))
losses = [head(features).pow(2).mean() for head in heads]
for loss in losses:
    loss.backward()
`;
export const HEADS_FIXED = HEADS.replace("for loss in losses:\n    loss.backward()\n", "sum(losses).backward()\n");

export const NOTEBOOK = JSON.stringify({
  cells: [
    cell("import torch\n", "\n", "rnn = torch.nn.RNN(3, 3)\n", "hidden = torch.zeros(1, 3)"),
    cell(
      "for step in range(3):\n",
      "    output, hidden = rnn(torch.randn(5, 3), hidden)\n",
      "    loss = output.pow(2).mean()\n",
      "    loss.backward()",
    ),
  ],
  metadata: { kernelspec: { display_name: "Python 3", language: "python", name: "python3" }, language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
});

function cell(...source: string[]): object {
  return { cell_type: "code", execution_count: null, id: `c${source.length}`, metadata: {}, outputs: [], source };
}
