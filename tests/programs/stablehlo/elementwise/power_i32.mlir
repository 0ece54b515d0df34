// in: draw 1 -20 1 41
// out: hash ac435a2ecd30d412
// cost: 7 instructions, 612318 ticks
module {
  func.func public @main(%arg0: tensor<50xi32>) -> (tensor<50xi32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<50xi32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<50xi32>
    %2 = stablehlo.multiply %arg0, %arg0 : tensor<50xi32>
    %3 = stablehlo.multiply %2, %2 : tensor<50xi32>
    %4 = stablehlo.add %1, %3 : tensor<50xi32>
    return %4 : tensor<50xi32>
  }
}
