// Serving, and PyTorch programs.
#include <array>

#include "checks/labels.h"

namespace trainyard::checks {

namespace {

constexpr std::array labels_front_table{
    Label{"serve.load", "every figure of a load is in its range",
          "Arrivals are drawn from it, and none can be drawn from an impossible one.",
          "correct the rate, the number of requests or the lengths that the error names",
          "trainyard plan serve llama3-8b --on trn3-gen2 --rate -1"},
    Label{"serve.family", "requests for tokens are served by a decoder",
          "Encoders have no tokens to generate.", "name a language model",
          "trainyard plan serve bert-large --on trn3-gen2"},
    Label{"serve.plan", "a replica has one stage, and one chip at least",
          "The scheduler gives each step to all chips of a replica.",
          "name --tp, and --dp for experts, without pipeline stages",
          "trainyard plan serve llama3-8b --on trn3-gen2 --tp 0"},
    Label{"serve.fit", "one request fits into HBM beside the weights",
          "A replica that cannot hold the cache of one request serves none.",
          "use more chips (--tp), a narrower format (--weights, --cache) or a shorter context",
          "trainyard plan serve llama3-405b --on trn3-gen2 --tp 1"},
    Label{"serve.experts", "each core of a replica has as many whole experts",
          "Experts that lie whole on cores are dealt out evenly, or some cores would wait.",
          "use chips whose cores divide the experts (--tp, --dp), or divide each expert (--ep no)",
          "trainyard plan serve mixtral-8x7b --on trn3-gen2 --tp 4 --ep yes"},
    Label{"serve.draft", "fewer layers than all guess tokens",
          "A draft of all layers would cost as much as the model, and guess nothing that it does "
          "not know.",
          "name fewer layers (--draft-layers)",
          "trainyard plan serve llama3-8b --on trn3-gen2 --draft 2 --draft-layers 32"},
    Label{"serve.fleet", "every setting of a fleet is in its range",
          "A fleet has replicas of one plan, readers of prompts beside them or none, and requests "
          "that arrive by themselves.",
          "correct the setting that the message names",
          "fleet settings with no replica, in Python"},
    Label{"serve.range", "every setting of the scheduler is in its range",
          "Blocks, batches and steps are counted in whole tokens.", "correct the setting",
          "settings of a scheduler with blocks of no tokens, in Python"},
    Label{"serve.budget", "a step has room for a token of each request that may run",
          "Requests that never get a token would wait for ever.",
          "raise the tokens of a step, or lower the requests that run together",
          "trainyard plan serve llama3-8b --on trn3-gen2 --max-num-batched-tokens 4 "
          "--max-num-seqs 64"},
    Label{"serve.table", "a table of step times rises along its axes and covers what it is asked",
          "A step outside it would be a guess.",
          "make the table over the batches and contexts that are asked for",
          "a table up to 8,192 tokens asked for 16,384"},
    Label{"torch.option", "an option of torch.compile is one that the backend neuron takes",
          "AWS's backend refuses the others, too.", "leave the option out",
          "torch.compile(model, backend=\"neuron\", dynamic=True)"},
    Label{"torch.argument", "arguments of a compiled graph are tensors",
          "A number that changes would compile the graph again for each of its values.",
          "pass numbers that do not change, or tensors", "step(x, n) with another n each time"},
    Label{"torch.operator", "an operator has a record in the table, or decomposes into such",
          "Nothing is computed on the host in its place.", "use the way round that the error names",
          "torch.nonzero(x)"},
    Label{"torch.view", "a write through a view reaches one element of what it views each",
          "Several elements of the view would write the same place.",
          "write to a clone() of the view, or to what it views", "x.expand(4, -1).add_(1)"},
    Label{"torch.device", "the tensors of an operator are on one device",
          "Tensors are not moved unasked.", "move it: x.to(\"neuron\")",
          "torch.ones(3, device=\"neuron\") + torch.ones(3)"},
};

}  // namespace

std::span<const Label> front_labels() { return labels_front_table; }

}  // namespace trainyard::checks
