// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 4.46375923 21.0724638 16.8195654 -6.48880441 5.65888448 17.2549062 19.715126 2.96197861 -6.00122802 -14.7966533 -28.6083842 10.5393162 -14.6111656 29.8113559 2.71567519 28.8666962
// cost: 20 instructions, 8268728 ticks
module {
  func.func public @main(%arg0: tensor<2500x3xf32>) -> (tensor<2503x5xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<2500x3xf32>, tensor<i32>) -> tensor<2503x5xf32>
    return %0 : tensor<2503x5xf32>
  }
  func.func private @_pad(%arg0: tensor<2500x3xf32>, %arg1: tensor<i32>) -> tensor<2503x5xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 1], high = [2, 1], interior = [0, 0] : (tensor<2500x3xf32>, tensor<f32>) -> tensor<2503x5xf32>
    return %1 : tensor<2503x5xf32>
  }
}
