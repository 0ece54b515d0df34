// tolerance: 0.001
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 42456.8734 55974.2477 78359.4668 66510.2471 52483.5207 50203.9975 55310.7245 54644.9509 49642.5467 51282.6165 48728.2999 51344.3898 66329.7917 57280.5101 40124.01 56397.2678
// cost: 58 instructions, 10799332 ticks
module {
  func.func public @main(%arg0: tensor<3x512xf32>) -> (tensor<512xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x512x512xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %c, %iterArg_3 = %0, %iterArg_4 = %1) : tensor<3x512xf32>, tensor<i32>, tensor<512xf32>, tensor<3x512x512xf32>
    cond {
      %c_5 = stablehlo.constant dense<3> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_2) : (tensor<3x512xf32>, tensor<i32>) -> tensor<512xf32>
      %5:2 = func.call @closed_call(%iterArg_3, %4) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512x512xf32>)
      %6 = func.call @dynamic_update_index_in_dim(%iterArg_4, %5#1, %iterArg_2) : (tensor<3x512x512xf32>, tensor<512x512xf32>, tensor<i32>) -> tensor<3x512x512xf32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_2, %c_5 : tensor<i32>
      stablehlo.return %iterArg, %7, %5#0, %6 : tensor<3x512xf32>, tensor<i32>, tensor<512xf32>, tensor<3x512x512xf32>
    }
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3:3 = stablehlo.while(%iterArg = %2#3, %iterArg_2 = %c_1, %iterArg_3 = %2#2) : tensor<3x512x512xf32>, tensor<i32>, tensor<512xf32>
    cond {
      %c_4 = stablehlo.constant dense<3> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_2, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = func.call @dynamic_index_in_dim_0(%iterArg, %iterArg_2) : (tensor<3x512x512xf32>, tensor<i32>) -> tensor<512x512xf32>
      %5 = func.call @closed_call_1(%iterArg_3, %4) : (tensor<512xf32>, tensor<512x512xf32>) -> tensor<512xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg_2, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %6, %5 : tensor<3x512x512xf32>, tensor<i32>, tensor<512xf32>
    }
    return %3#2 : tensor<512xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x512xf32>, %arg1: tensor<i32>) -> tensor<512xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 512] : (tensor<3x512xf32>, tensor<i32>, tensor<i32>) -> tensor<1x512xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x512xf32>) -> tensor<512xf32>
    return %1 : tensor<512xf32>
  }
  func.func private @closed_call(%arg0: tensor<512xf32>, %arg1: tensor<512xf32>) -> (tensor<512xf32>, tensor<512x512xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<512xf32>) -> tensor<1x512xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x512xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x512xf32>) -> tensor<512x512xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<512x512xf32>
    %5 = stablehlo.exponential %4 : tensor<512x512xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
    %7 = stablehlo.add %arg0, %6 : tensor<512xf32>
    return %7, %5 : tensor<512xf32>, tensor<512x512xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x512x512xf32>, %arg1: tensor<512x512xf32>, %arg2: tensor<i32>) -> tensor<3x512x512xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<512x512xf32>) -> tensor<1x512x512xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x512x512xf32>, tensor<1x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x512x512xf32>
    return %1 : tensor<3x512x512xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<3x512x512xf32>, %arg1: tensor<i32>) -> tensor<512x512xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 512, 512] : (tensor<3x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x512xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x512x512xf32>) -> tensor<512x512xf32>
    return %1 : tensor<512x512xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<512xf32>, %arg1: tensor<512x512xf32>) -> tensor<512xf32> {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<512xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%arg1 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3 = stablehlo.add %1, %2 : tensor<512xf32>
    return %3 : tensor<512xf32>
  }
}
