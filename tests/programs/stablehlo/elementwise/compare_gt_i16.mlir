// in: draw 1 0 1 7
// in: draw 2 0 1 7
// out: hash b1de0afd21466fbb
// cost: 4 instructions, 551964 ticks
module {
  func.func public @main(%arg0: tensor<90xi16>, %arg1: tensor<90xi16>) -> (tensor<90xi1>) {
    %0 = stablehlo.compare GT, %arg0, %arg1, SIGNED : (tensor<90xi16>, tensor<90xi16>) -> tensor<90xi1>
    return %0 : tensor<90xi1>
  }
}
