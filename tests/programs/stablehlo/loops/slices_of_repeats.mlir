// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 14.7001774 16.4782365 37.4421037 6.17856577 28.187921 8.97521621 15.4302688 12.2997347 19.2700941 25.0848523 32.5794297 21.4839642 17.088131 9.17747225 20.0296693 17.6207725
// out: sums 607.763961 803.916792 776.146355 675.880103 702.934236 562.126079 512.76975 573.290775 626.571252 505.833367 753.718142 659.849658 567.840031 584.891412 633.138202 683.743749
// cost: 116 instructions, 26417413 ticks
module {
  func.func public @main(%arg0: tensor<40x12x12xf32>, %arg1: tensor<24x40xf32>) -> (tensor<12x24xf32>, tensor<40x24xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 2] : (tensor<24x40xf32>) -> tensor<24x1x40xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 3] : (tensor<24x1x40xf32>) -> tensor<24x1x12x40xf32>
    %2 = stablehlo.reshape %1 : (tensor<24x1x12x40xf32>) -> tensor<24x12x40xf32>
    %3 = stablehlo.transpose %2, dims = [2, 1, 0] : (tensor<24x12x40xf32>) -> tensor<40x12x24xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x12x24xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<40x12x24xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12x24xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40x24xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %8:6 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %3, %iterArg_3 = %5, %iterArg_4 = %c, %iterArg_5 = %6, %iterArg_6 = %7) : tensor<40x12x12xf32>, tensor<40x12x24xf32>, tensor<40x12x24xf32>, tensor<i32>, tensor<12x24xf32>, tensor<40x24xf32>
    cond {
      %c_7 = stablehlo.constant dense<40> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_4) : (tensor<40x12x12xf32>, tensor<i32>) -> tensor<12x12xf32>
      %10 = func.call @dynamic_index_in_dim_0(%iterArg_2, %iterArg_4) : (tensor<40x12x24xf32>, tensor<i32>) -> tensor<12x24xf32>
      %11 = func.call @dynamic_index_in_dim_0(%iterArg_3, %iterArg_4) : (tensor<40x12x24xf32>, tensor<i32>) -> tensor<12x24xf32>
      %12:2 = func.call @closed_call(%iterArg_5, %9, %10, %11) : (tensor<12x24xf32>, tensor<12x12xf32>, tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>, tensor<24xf32>)
      %13 = func.call @dynamic_update_index_in_dim(%iterArg_6, %12#1, %iterArg_4) : (tensor<40x24xf32>, tensor<24xf32>, tensor<i32>) -> tensor<40x24xf32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %14 = stablehlo.add %iterArg_4, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %iterArg_3, %14, %12#0, %13 : tensor<40x12x12xf32>, tensor<40x12x24xf32>, tensor<40x12x24xf32>, tensor<i32>, tensor<12x24xf32>, tensor<40x24xf32>
    }
    return %8#4, %8#5 : tensor<12x24xf32>, tensor<40x24xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<40x12x12xf32>, %arg1: tensor<i32>) -> tensor<12x12xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 12, 12] : (tensor<40x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x12x12xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x12x12xf32>) -> tensor<12x12xf32>
    return %1 : tensor<12x12xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<40x12x24xf32>, %arg1: tensor<i32>) -> tensor<12x24xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 12, 24] : (tensor<40x12x24xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x12x24xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x12x24xf32>) -> tensor<12x24xf32>
    return %1 : tensor<12x24xf32>
  }
  func.func private @closed_call(%arg0: tensor<12x24xf32>, %arg1: tensor<12x12xf32>, %arg2: tensor<12x24xf32>, %arg3: tensor<12x24xf32>) -> (tensor<12x24xf32>, tensor<24xf32>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12x24xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<12x24xf32>
    %2 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x12xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %3 = stablehlo.add %1, %2 : tensor<12x24xf32>
    %4 = stablehlo.maximum %3, %arg3 : tensor<12x24xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<12x24xf32>, tensor<f32>) -> tensor<24xf32>
    return %4, %5 : tensor<12x24xf32>, tensor<24xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<40x24xf32>, %arg1: tensor<24xf32>, %arg2: tensor<i32>) -> tensor<40x24xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<40x24xf32>, tensor<1x24xf32>, tensor<i32>, tensor<i32>) -> tensor<40x24xf32>
    return %1 : tensor<40x24xf32>
  }
}
