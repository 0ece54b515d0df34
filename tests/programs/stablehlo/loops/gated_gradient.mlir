// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 42.9109371 66.2116187 8.49673631 -70.6517476 35.3358776 -30.5695794 -75.5554817 -22.6950987 73.0902299 -11.6861538 -21.8373983 -10.6217242 90.478036 -14.3000778 -4.36223464 16.0635934
// out: sums 15.7048275 37.4713405 17.9085696 6.16566546 63.8007573 9.44438131 49.1789862 -34.2998876 75.846402 -58.1748787 -5.51496731 14.1302526 25.5413665 -40.9468623 8.90518547 8.35271024
// cost: 34 instructions, 2662281 ticks
module {
  func.func public @main(%arg0: tensor<9x20xf32>, %arg1: tensor<9x20xf32>) -> (tensor<9x20xf32>, tensor<9x20xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:6 = stablehlo.while(%iterArg = %arg0, %iterArg_10 = %arg1, %iterArg_11 = %c, %iterArg_12 = %0, %iterArg_13 = %1, %iterArg_14 = %2) : tensor<9x20xf32>, tensor<9x20xf32>, tensor<i32>, tensor<20xf32>, tensor<9x20xf32>, tensor<9x20xf32>
    cond {
      %c_15 = stablehlo.constant dense<9> : tensor<i32>
      %15 = stablehlo.compare LT, %iterArg_11, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %15 : tensor<i1>
    } do {
      %15 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_11) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %16 = func.call @dynamic_index_in_dim(%iterArg_10, %iterArg_11) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %17:3 = func.call @closed_call(%iterArg_12, %15, %16) : (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>)
      %18 = func.call @dynamic_update_index_in_dim(%iterArg_13, %17#1, %iterArg_11) : (tensor<9x20xf32>, tensor<20xf32>, tensor<i32>) -> tensor<9x20xf32>
      %19 = func.call @dynamic_update_index_in_dim(%iterArg_14, %17#2, %iterArg_11) : (tensor<9x20xf32>, tensor<20xf32>, tensor<i32>) -> tensor<9x20xf32>
      %c_15 = stablehlo.constant dense<1> : tensor<i32>
      %20 = stablehlo.add %iterArg_11, %c_15 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_10, %20, %17#0, %18, %19 : tensor<9x20xf32>, tensor<9x20xf32>, tensor<i32>, tensor<20xf32>, tensor<9x20xf32>, tensor<9x20xf32>
    }
    %4 = stablehlo.multiply %3#4, %3#4 : tensor<9x20xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %6 = stablehlo.multiply %5, %3#4 : tensor<9x20xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%4 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<9x20xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %10 = stablehlo.multiply %9, %6 : tensor<9x20xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %14:7 = stablehlo.while(%iterArg = %10, %iterArg_10 = %3#5, %iterArg_11 = %arg1, %iterArg_12 = %c_9, %iterArg_13 = %11, %iterArg_14 = %12, %iterArg_15 = %13) : tensor<9x20xf32>, tensor<9x20xf32>, tensor<9x20xf32>, tensor<i32>, tensor<20xf32>, tensor<9x20xf32>, tensor<9x20xf32>
    cond {
      %c_16 = stablehlo.constant dense<9> : tensor<i32>
      %15 = stablehlo.compare LT, %iterArg_12, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %15 : tensor<i1>
    } do {
      %c_16 = stablehlo.constant dense<9> : tensor<i32>
      %15 = stablehlo.subtract %c_16, %iterArg_12 : tensor<i32>
      %c_17 = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.subtract %15, %c_17 : tensor<i32>
      %17 = func.call @dynamic_index_in_dim(%iterArg, %16) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %18 = func.call @dynamic_index_in_dim(%iterArg_10, %16) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %19 = func.call @dynamic_index_in_dim(%iterArg_11, %16) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %20:3 = func.call @closed_call_0(%iterArg_13, %17, %18, %19) : (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>)
      %21 = func.call @dynamic_update_index_in_dim(%iterArg_14, %20#1, %16) : (tensor<9x20xf32>, tensor<20xf32>, tensor<i32>) -> tensor<9x20xf32>
      %22 = func.call @dynamic_update_index_in_dim(%iterArg_15, %20#2, %16) : (tensor<9x20xf32>, tensor<20xf32>, tensor<i32>) -> tensor<9x20xf32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %23 = stablehlo.add %iterArg_12, %c_18 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_10, %iterArg_11, %23, %20#0, %21, %22 : tensor<9x20xf32>, tensor<9x20xf32>, tensor<9x20xf32>, tensor<i32>, tensor<20xf32>, tensor<9x20xf32>, tensor<9x20xf32>
    }
    return %14#5, %14#6 : tensor<9x20xf32>, tensor<9x20xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<i32>) -> tensor<20xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 20] : (tensor<9x20xf32>, tensor<i32>, tensor<i32>) -> tensor<1x20xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20xf32>) -> tensor<20xf32>
    return %1 : tensor<20xf32>
  }
  func.func private @closed_call(%arg0: tensor<20xf32>, %arg1: tensor<20xf32>, %arg2: tensor<20xf32>) -> (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) {
    %0 = stablehlo.multiply %arg2, %arg0 : tensor<20xf32>
    %1 = stablehlo.add %0, %arg1 : tensor<20xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<20xf32>
    return %1, %3, %arg0 : tensor<20xf32>, tensor<20xf32>, tensor<20xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<20xf32>, %arg2: tensor<i32>) -> tensor<9x20xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x20xf32>, tensor<1x20xf32>, tensor<i32>, tensor<i32>) -> tensor<9x20xf32>
    return %1 : tensor<9x20xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<20xf32>, %arg1: tensor<20xf32>, %arg2: tensor<20xf32>, %arg3: tensor<20xf32>) -> (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %1 = stablehlo.multiply %arg1, %0 : tensor<20xf32>
    %2 = stablehlo.add %arg0, %1 : tensor<20xf32>
    %3 = stablehlo.multiply %arg3, %2 : tensor<20xf32>
    %4 = stablehlo.multiply %2, %arg2 : tensor<20xf32>
    return %3, %2, %4 : tensor<20xf32>, tensor<20xf32>, tensor<20xf32>
  }
}
