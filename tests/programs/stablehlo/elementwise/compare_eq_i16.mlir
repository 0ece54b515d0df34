// in: draw 1 0 1 7
// in: draw 2 0 1 7
// out: hash e4ef361dfcd26d13
// cost: 4 instructions, 551964 ticks
module {
  func.func public @main(%arg0: tensor<90xi16>, %arg1: tensor<90xi16>) -> (tensor<90xi1>) {
    %0 = stablehlo.compare EQ, %arg0, %arg1, SIGNED : (tensor<90xi16>, tensor<90xi16>) -> tensor<90xi1>
    return %0 : tensor<90xi1>
  }
}
