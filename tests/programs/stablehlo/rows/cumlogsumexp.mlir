// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 16.2754255 4.73517628 17.6149439 21.4610016 29.3561507 18.2275033 29.3493554 0 14.8163066 11.3482 12.8448927 14.270923 25.9176567 25.8106223 13.8405542 19.4197417
// cost: 466 instructions, 10067013 ticks
module {
  func.func public @main(%arg0: tensor<4x20xf32>) -> (tensor<4x20xf32>) {
    %0 = call @cumlogsumexp(%arg0) : (tensor<4x20xf32>) -> tensor<4x20xf32>
    return %0 : tensor<4x20xf32>
  }
  func.func private @cumlogsumexp(%arg0: tensor<4x20xf32>) -> tensor<4x20xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [19, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 20>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %5 = stablehlo.abs %2 : tensor<f32>
      %6 = stablehlo.negate %5 : tensor<f32>
      %7 = stablehlo.exponential %6 : tensor<f32>
      %8 = stablehlo.log_plus_one %7 : tensor<f32>
      %9 = stablehlo.add %1, %8 : tensor<f32>
      %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<4x20xf32>, tensor<f32>) -> tensor<4x20xf32>
    return %0 : tensor<4x20xf32>
  }
}
