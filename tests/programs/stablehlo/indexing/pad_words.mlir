// in: draw 1 -20 1 41
// out: hash 6d6224157f44213d
// cost: 4 instructions, 606427 ticks
module {
  func.func public @main(%arg0: tensor<9x10xi32>) -> (tensor<12x21xi32>) {
    %c = stablehlo.constant dense<-7> : tensor<i32>
    %0 = stablehlo.pad %arg0, %c, low = [2, 1], high = [1, 1], interior = [0, 1] : (tensor<9x10xi32>, tensor<i32>) -> tensor<12x21xi32>
    return %0 : tensor<12x21xi32>
  }
}
