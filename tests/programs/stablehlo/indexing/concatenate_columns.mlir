// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash bf5c9a493a1c0617
// cost: 7 instructions, 646611 ticks
module {
  func.func public @main(%arg0: tensor<20x9xf32>) -> (tensor<20x15xf32>) {
    %0 = stablehlo.slice %arg0 [0:20, 4:9] : (tensor<20x9xf32>) -> tensor<20x5xf32>
    %1 = stablehlo.slice %arg0 [0:20, 0:1] : (tensor<20x9xf32>) -> tensor<20x1xf32>
    %2 = stablehlo.concatenate %0, %arg0, %1, dim = 1 : (tensor<20x5xf32>, tensor<20x9xf32>, tensor<20x1xf32>) -> tensor<20x15xf32>
    return %2 : tensor<20x15xf32>
  }
}
