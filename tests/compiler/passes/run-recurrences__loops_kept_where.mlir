// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<9x20xf32>, %1: tensor<9x20xf32>) -> (tensor<20xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5, %6, %7, %8 = "stablehlo.while"(%0, %1, %4, %3) ({
    ^bb0(%9: tensor<9x20xf32>, %10: tensor<9x20xf32>, %11: tensor<i32>, %12: tensor<20xf32>):
      %13 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> (tensor<i32>)
      %14 = "stablehlo.compare"(%11, %13) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%14) : (tensor<i1>) -> ()
    }, {
    ^bb0(%15: tensor<9x20xf32>, %16: tensor<9x20xf32>, %17: tensor<i32>, %18: tensor<20xf32>):
      %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %25 = "stablehlo.dynamic_slice"(%15, %17, %24) <{slice_sizes = array<i64: 1, 20>}> : (tensor<9x20xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x20xf32>)
      %26 = "stablehlo.reshape"(%25) : (tensor<1x20xf32>) -> (tensor<20xf32>)
      %27 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %28 = "stablehlo.dynamic_slice"(%16, %17, %27) <{slice_sizes = array<i64: 1, 20>}> : (tensor<9x20xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x20xf32>)
      %29 = "stablehlo.reshape"(%28) : (tensor<1x20xf32>) -> (tensor<20xf32>)
      %30 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
      %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20xf32>)
      %32 = "stablehlo.compare"(%26, %31) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xi1>)
      %33 = "stablehlo.multiply"(%29, %18) : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
      %34 = "stablehlo.select"(%32, %33, %18) : (tensor<20xi1>, tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
      %35 = "stablehlo.add"(%34, %26) : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
      %22 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %23 = "stablehlo.add"(%17, %22) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%15, %16, %23, %35) : (tensor<9x20xf32>, tensor<9x20xf32>, tensor<i32>, tensor<20xf32>) -> ()
    }) : (tensor<9x20xf32>, tensor<9x20xf32>, tensor<i32>, tensor<20xf32>) -> (tensor<9x20xf32>, tensor<9x20xf32>, tensor<i32>, tensor<20xf32>)
    "stablehlo.return"(%8) : (tensor<20xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<9x20xf32>, %1: tensor<i32>) -> (tensor<20xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.dynamic_slice"(%0, %1, %2) <{slice_sizes = array<i64: 1, 20>}> : (tensor<9x20xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x20xf32>)
    %4 = "stablehlo.reshape"(%3) : (tensor<1x20xf32>) -> (tensor<20xf32>)
    "stablehlo.return"(%4) : (tensor<20xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<20xf32>, %1: tensor<20xf32>, %2: tensor<20xf32>) -> (tensor<20xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20xf32>)
    %5 = "stablehlo.compare"(%1, %4) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xi1>)
    %6 = "stablehlo.multiply"(%2, %0) : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    %7 = "stablehlo.call"(%5, %6, %0) <{callee = @_where}> : (tensor<20xi1>, tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    %8 = "stablehlo.add"(%7, %1) : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    "stablehlo.return"(%8) : (tensor<20xf32>) -> ()
  }
  func.func private @_where(%0: tensor<20xi1>, %1: tensor<20xf32>, %2: tensor<20xf32>) -> (tensor<20xf32>) {
    %3 = "stablehlo.select"(%0, %1, %2) : (tensor<20xi1>, tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    "stablehlo.return"(%3) : (tensor<20xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<9x20xf32>, %1: tensor<9x20xf32>) -> (tensor<20xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %33 = "stablehlo.constant"() <{value = dense<"0x000000000100000002000000030000000400000005000000060000000700000008000000"> : tensor<9xi32>}> : () -> (tensor<9xi32>)
    %34 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> (tensor<i32>)
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
    %36 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %37 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<9x20xf32>) -> (tensor<20x9xf32>)
    %38 = "stablehlo.reshape"(%37) : (tensor<20x9xf32>) -> (tensor<1x20x9xf32>)
    %39 = "stablehlo.reshape"(%38) : (tensor<1x20x9xf32>) -> (tensor<20x9xf32>)
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %41 = "stablehlo.transpose"(%1) <{permutation = array<i64: 1, 0>}> : (tensor<9x20xf32>) -> (tensor<20x9xf32>)
    %42 = "stablehlo.reshape"(%41) : (tensor<20x9xf32>) -> (tensor<1x20x9xf32>)
    %43 = "stablehlo.reshape"(%42) : (tensor<1x20x9xf32>) -> (tensor<20x9xf32>)
    %44 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20xf32>)
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xf32>) -> (tensor<20x9xf32>)
    %47 = "stablehlo.compare"(%39, %46) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<20x9xf32>, tensor<20x9xf32>) -> (tensor<20x9xi1>)
    %48 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<9xi32>)
    %50 = "stablehlo.add"(%33, %49) : (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi32>)
    %51 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x9xf32>)
    %53 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x9xf32>)
    %55 = "stablehlo.select"(%47, %52, %54) : (tensor<20x9xi1>, tensor<20x9xf32>, tensor<20x9xf32>) -> (tensor<20x9xf32>)
    %56 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x9xf32>)
    %58 = "stablehlo.select"(%47, %43, %57) : (tensor<20x9xi1>, tensor<20x9xf32>, tensor<20x9xf32>) -> (tensor<20x9xf32>)
    %59 = "stablehlo.add"(%55, %39) : (tensor<20x9xf32>, tensor<20x9xf32>) -> (tensor<20x9xf32>)
    %60 = "stablehlo.composite"(%58, %59, %3) <{composite_attributes = {}, name = "trainyard.linear_scan", version = 1 : i64}> : (tensor<20x9xf32>, tensor<20x9xf32>, tensor<20xf32>) -> (tensor<20x9xf32>)
    %61 = "stablehlo.slice"(%60) <{limit_indices = array<i64: 20, 9>, start_indices = array<i64: 0, 8>, strides = array<i64: 1, 1>}> : (tensor<20x9xf32>) -> (tensor<20x1xf32>)
    %62 = "stablehlo.reshape"(%61) : (tensor<20x1xf32>) -> (tensor<20xf32>)
    %63 = "stablehlo.reshape"(%3) : (tensor<20xf32>) -> (tensor<20x1xf32>)
    %64 = "stablehlo.slice"(%60) <{limit_indices = array<i64: 20, 8>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<20x9xf32>) -> (tensor<20x8xf32>)
    %65 = "stablehlo.concatenate"(%63, %64) <{dimension = 1 : i64}> : (tensor<20x1xf32>, tensor<20x8xf32>) -> (tensor<20x9xf32>)
    %66 = "stablehlo.multiply"(%43, %65) : (tensor<20x9xf32>, tensor<20x9xf32>) -> (tensor<20x9xf32>)
    %67 = "stablehlo.select"(%47, %66, %65) : (tensor<20x9xi1>, tensor<20x9xf32>, tensor<20x9xf32>) -> (tensor<20x9xf32>)
    "stablehlo.return"(%62) : (tensor<20xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<9x20xf32>, %1: tensor<i32>) -> (tensor<20xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.dynamic_slice"(%0, %1, %2) <{slice_sizes = array<i64: 1, 20>}> : (tensor<9x20xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x20xf32>)
    %4 = "stablehlo.reshape"(%3) : (tensor<1x20xf32>) -> (tensor<20xf32>)
    "stablehlo.return"(%4) : (tensor<20xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<20xf32>, %1: tensor<20xf32>, %2: tensor<20xf32>) -> (tensor<20xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20xf32>)
    %5 = "stablehlo.compare"(%1, %4) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xi1>)
    %6 = "stablehlo.multiply"(%2, %0) : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    %7 = "stablehlo.call"(%5, %6, %0) <{callee = @_where}> : (tensor<20xi1>, tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    %8 = "stablehlo.add"(%7, %1) : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    "stablehlo.return"(%8) : (tensor<20xf32>) -> ()
  }
  func.func private @_where(%0: tensor<20xi1>, %1: tensor<20xf32>, %2: tensor<20xf32>) -> (tensor<20xf32>) {
    %3 = "stablehlo.select"(%0, %1, %2) : (tensor<20xi1>, tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    "stablehlo.return"(%3) : (tensor<20xf32>) -> ()
  }
}
