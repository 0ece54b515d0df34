// tolerance: 2e-05
// in: draw 1 0 1 7
// in: draw 2 0 1 7
// out: hash 542d314d874e63ed
// cost: 4 instructions, 570021 ticks
module {
  func.func public @main(%arg0: tensor<20x9xf32>, %arg1: tensor<20x9xf32>) -> (tensor<20x9xi1>) {
    %0 = stablehlo.compare GT, %arg0, %arg1, FLOAT : (tensor<20x9xf32>, tensor<20x9xf32>) -> tensor<20x9xi1>
    return %0 : tensor<20x9xi1>
  }
}
